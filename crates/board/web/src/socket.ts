// SPDX-License-Identifier: GPL-3.0-or-later
// The connection to the server. It is opened again when it breaks.

import { signal } from '@preact/signals';
import { VERSION, type Reply, type Request } from './protocol';

type Listener = (reply: Reply) => void;

export const isConnected = signal(false);
export const notice = signal<string | null>(null);

const listeners = new Set<Listener>();
let socket: WebSocket | null = null;
let attempts = 0;
let lastId = 0;
let session: () => string | null = () => null;

/** Hears every reply; the result ends it. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A number for a request, larger than all before it. */
export function nextId(): number {
  return ++lastId;
}

export function send(request: Request): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(request));
  return true;
}

/** Connects, and goes on doing so. */
export function connect(sessionName: () => string | null): void {
  session = sessionName;
  open();
}

function open(): void {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const next = new WebSocket(`${scheme}://${location.host}/socket`);
  socket = next;
  next.onopen = () => {
    attempts = 0;
    send({ type: 'hello', version: VERSION, session: session() });
  };
  next.onmessage = event => receive(JSON.parse(String(event.data)) as Reply);
  next.onclose = () => {
    isConnected.value = false;
    attempts += 1;
    setTimeout(open, Math.min(5000, 200 * 2 ** attempts));
  };
}

function receive(reply: Reply): void {
  if (reply.type === 'welcome') isConnected.value = true;
  if (reply.type === 'error') say(reply.message);
  for (const listener of listeners) listener(reply);
}

let fading: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for a while. */
export function say(message: string): void {
  notice.value = message;
  clearTimeout(fading);
  fading = setTimeout(() => (notice.value = null), 6000);
}

/** Asks once and waits for the reply with the same number. */
export function ask<T extends Reply['type']>(
  request: Extract<Request, { id: number }>,
  answer: T,
): Promise<Extract<Reply, { type: T }>> {
  return new Promise((resolve, reject) => {
    const end = listen(reply => {
      if (!('id' in reply) || reply.id !== request.id) return;
      if (reply.type === answer) resolve(reply as Extract<Reply, { type: T }>);
      else if (reply.type === 'error') reject(new Error(reply.message));
      else return;
      end();
    });
    if (!send(request)) {
      end();
      reject(new Error('The server cannot be reached.'));
    }
  });
}
