// Draws the mark of web/icon.svg as the PNG files of web/icons, for home screens. After a change of
// the mark: node packaging/build/web/draw-icons.mjs
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'

const folder = new URL('../../../web/icons/', import.meta.url)

/** The side of the drawing, in its own units. */
const side = 32
/** Samples of a pixel at an edge, in each direction. */
const samples = 4

/**
 * An icon. A home screen that cuts its own shape out of it gets a square without corners.
 *
 * @typedef {{ name: string, size: number, isRound: boolean }} Icon
 */

/** @type {readonly Icon[]} */
export const icons = [
  { name: 'icon-192.png', size: 192, isRound: true },
  { name: 'icon-512.png', size: 512, isRound: true },
  { name: 'maskable-512.png', size: 512, isRound: false },
  { name: 'touch-180.png', size: 180, isRound: false },
]

/** The colours by layer: outside, background, lower sheets (white, 80 %) and the upper sheet. */
const colours = [
  [0, 0, 0],
  [0x2f, 0x5f, 0xd0],
  [213, 223, 246],
  [255, 255, 255],
]

/**
 * Returns the layer at a place of the drawing, as an index of `colours`.
 *
 * @param {number} x
 * @param {number} y
 * @param {boolean} isRound
 */
function layerAt(x, y, isRound) {
  const u = Math.abs(x - 16)
  if (u / 9 + Math.abs(y - 12) / 5 <= 1) return 3
  if (isInSheet(u, y - 21.5) || isInSheet(u, y - 26)) return 2
  return isRound && isInCorner(u, Math.abs(y - 16)) ? 0 : 1
}

/**
 * Returns whether a place is in the line of a lower sheet, which is two wide, with a round joint.
 *
 * @param {number} u the distance from the middle, to the side
 * @param {number} v how far it is below the joint
 */
function isInSheet(u, v) {
  const length = Math.sqrt(106)
  const along = (9 * u - 5 * v) / length
  const across = (9 * v + 5 * u) / length
  return (along >= 0 && along <= length && Math.abs(across) <= 1) || u * u + v * v <= 1
}

/**
 * Returns whether a place is outside the rounded corners.
 *
 * @param {number} u the distance from the middle, to the side
 * @param {number} v the distance from the middle, up or down
 */
function isInCorner(u, v) {
  const [p, q] = [Math.max(u - 9, 0), Math.max(v - 9, 0)]
  return p * p + q * q > 49
}

/**
 * Returns the pixels of an icon: four bytes each, red, green, blue and opacity.
 *
 * @param {Icon} icon
 */
export function drawIcon({ size, isRound }) {
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    layerAt((x * side) / size, (y * side) / size, isRound)
  const pixels = Buffer.alloc(size * size * 4)
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) pixels.set(pixelAt(at, x, y), (y * size + x) * 4)
  }
  return pixels
}

/**
 * Returns the bytes of a pixel. Most have one colour; those at an edge mix the ones they touch.
 *
 * @param {(x: number, y: number) => number} at
 * @param {number} x
 * @param {number} y
 */
function pixelAt(at, x, y) {
  const corners = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)]
  const [first = 0] = corners
  if (corners.every((one) => one === first)) return bytesOf([first])
  const layers = Array.from({ length: samples * samples }, (_, index) => {
    const column = index % samples
    const row = (index - column) / samples
    return at(x + (column + 0.5) / samples, y + (row + 0.5) / samples)
  })
  return bytesOf(layers)
}

/** @param {readonly number[]} layers */
function bytesOf(layers) {
  const inside = layers.filter((layer) => layer > 0)
  if (inside.length === 0) return [0, 0, 0, 0]
  const mean = [0, 1, 2].map((channel) => {
    const sum = inside.reduce((total, layer) => total + (colours[layer]?.[channel] ?? 0), 0)
    return Math.floor(sum / inside.length + 0.5)
  })
  return [...mean, Math.floor((255 * inside.length) / layers.length + 0.5)]
}

/**
 * Returns a PNG file.
 *
 * @param {number} size
 * @param {Buffer} pixels
 */
function pngOf(size, pixels) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // Eight bits for each of red, green, blue and opacity.
  header.set([8, 6, 0, 0, 0], 8)
  const lines = Array.from({ length: size }, (_, y) =>
    Buffer.concat([Buffer.of(0), pixels.subarray(y * size * 4, (y + 1) * size * 4)]),
  )
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(Buffer.concat(lines), { level: 9 })),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

/**
 * Returns a part of a PNG file: its length, name, content and check sum.
 *
 * @param {string} name
 * @param {Buffer} content
 */
function chunkOf(name, content) {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const icon of icons) {
    await writeFile(new URL(icon.name, folder), pngOf(icon.size, drawIcon(icon)))
  }
}
