// SPDX-License-Identifier: GPL-3.0-or-later
import { render } from 'preact';
import '@lichess-org/chessground/assets/chessground.base.css';
import '@lichess-org/chessground/assets/chessground.brown.css';
import '@lichess-org/chessground/assets/chessground.cburnett.css';
import 'uplot/dist/uPlot.min.css';
import './style/base.css';
import './style/board.css';
import './style/panels.css';
import './style/inside.css';
import { installKeys } from './keys';
import { name } from './session';
import { connect } from './socket';
import { App } from './ui/app';

connect(() => name.value);
installKeys();
render(<App />, document.getElementById('app')!);
