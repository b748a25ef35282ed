// What mdBook's pages lack for people who use a keyboard or a screen reader.

// The toggle of the sidebar is a label with the attributes of a button: say that it is one.
document.getElementById("mdbook-sidebar-toggle")?.setAttribute("role", "button");

// A block of code that scrolls must be reachable by the keyboard.
for (const code of document.querySelectorAll("pre > code, .content table")) {
  if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
}
