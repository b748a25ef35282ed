// SPDX-License-Identifier: GPL-3.0-or-later
// Sounds, made here: wood on wood, and a chime at the end.

import { settings } from './settings';

let context: AudioContext | null = null;

export type Sound = 'move' | 'capture' | 'check' | 'low' | 'end';

export function play(sound: Sound): void {
  if (!settings.value.sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  switch (sound) {
    case 'move':
      return knock(context, now, 220, 0.25);
    case 'capture':
      knock(context, now, 180, 0.3);
      return knock(context, now + 0.06, 300, 0.25);
    case 'check':
      knock(context, now, 260, 0.25);
      return tone(context, now + 0.03, 660, 0.06);
    case 'low':
      [880, 880].forEach((pitch, i) => tone(context!, now + 0.16 * i, pitch, 0.06));
      return;
    case 'end':
      [523, 659, 784].forEach((pitch, i) => tone(context!, now + 0.12 * i, pitch, 0.08));
  }
}

/** A short filtered noise. */
function knock(audio: AudioContext, at: number, pitch: number, volume: number): void {
  const length = Math.floor(audio.sampleRate * 0.08);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * Math.exp((-9 * i) / length);
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: 'bandpass', frequency: pitch * 4, Q: 2 });
  source.connect(filter).connect(new GainNode(audio, { gain: volume * 4 * settings.value.volume })).connect(audio.destination);
  source.start(at);
}

function tone(audio: AudioContext, at: number, pitch: number, volume: number): void {
  const source = new OscillatorNode(audio, { type: 'sine', frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(Math.max(0.0001, volume * 1.4 * settings.value.volume), at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
  source.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + 0.5);
}
