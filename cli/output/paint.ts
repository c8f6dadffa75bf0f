import { styleText } from 'node:util'
import type { Io, OutputStream } from '../io.ts'

export type Style =
  | 'bold'
  | 'dim'
  | 'red'
  | 'green'
  | 'yellow'
  | 'blue'
  | 'magenta'
  | 'cyan'
  | 'redBright'
  | 'greenBright'
  | 'yellowBright'
  | 'blueBright'
  | 'magentaBright'
  | 'cyanBright'

/**
 * Returns a function that colours text, if the stream is a terminal and colours are not disabled.
 */
export function painter(
  stream: OutputStream,
  env: Io['env'],
): (style: Style, text: string) => string {
  const plain = !stream.isTTY || Boolean(env.NO_COLOR) || env.TERM === 'dumb'
  return (style, text) => (plain ? text : styleText(style, text, { validateStream: false }))
}
