import { encode } from 'uqr'
import type { Io } from '../io.ts'

/**
 * Returns a text as the lines of a QR code for a terminal, two of its rows in each line, or nothing
 * if the terminal is too narrow. It is black on white in every theme, as many readers refuse it
 * inverted; without colours it is right on a dark background.
 */
export function qrLines(text: string, { stdout, env }: Pick<Io, 'stdout' | 'env'>): string[] {
  const { data, size } = encode(text, { border: 2 })
  if (!stdout.isTTY || (stdout.columns ?? 80) < size) return []
  const isPlain = Boolean(env.NO_COLOR) || env.TERM === 'dumb'
  const [start, end] = isPlain ? ['', ''] : ['\u001b[97;40m', '\u001b[0m']
  const isLight = (x: number, y: number) => y < size && !data[y]?.[x]
  const lines: string[] = []
  for (let y = 0; y < size; y += 2) {
    let line = ''
    for (let x = 0; x < size; x += 1) {
      const [top, bottom] = [isLight(x, y), isLight(x, y + 1)]
      line += top ? (bottom ? '█' : '▀') : bottom ? '▄' : ' '
    }
    lines.push(`${start}${line}${end}`)
  }
  return lines
}
