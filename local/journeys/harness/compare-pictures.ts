import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const stored = fileURLToPath(new URL('../pictures/', import.meta.url))
const found = join(tmpdir(), 'container-stacks-pictures')

/** Side of the squares whose mean colours are compared, in pixels. */
const square = 4
/**
 * The largest difference of one channel of a square, which has 0 to 255. Another version of the
 * browser draws the edges of letters a little differently, which changes the mean of a square by
 * less than 20. A line of text that is gone or elsewhere changes its squares by 30 to 120.
 */
const colourMax = 28
/** A share of all squares. A button with its words has about 200 squares, a large page 400,000. */
const shareMax = 0.0001

interface Comparison {
  /** How much of the picture differs, from 0 to 1; undefined if the sizes differ. */
  share: number | undefined
  isSame: boolean
  /** Where the picture was written for a look. */
  path: string
}

/** Returns the picture of a page that has come to rest. */
async function settled(page: Page): Promise<Buffer> {
  const take = () => page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' })
  let last = await take()
  for (let tries = 0; tries < 10; tries += 1) {
    const next = await take()
    if (next.equals(last)) break
    last = next
  }
  return last
}

/**
 * Compares a page with its stored picture, which holds the mean colour of each square of the page.
 * A picture that is missing is stored first, if it may.
 *
 * @param canvas a blank page, which computes
 */
export async function comparePicture(
  page: Page,
  canvas: Page,
  name: string,
  { mayRenew = true } = {},
): Promise<Comparison> {
  await page.evaluate('document.fonts.ready')
  // Their texts change with the clock. The policy of the page allows no style sheet for this.
  await page.evaluate(hideClocks)
  const shot = await settled(page)
  const small = await canvas.evaluate<string>(
    `(${shrink})(${JSON.stringify({ picture: urlOf(shot), square })})`,
  )
  const keep = join(stored, `${name}.png`)
  const path = mayRenew && !existsSync(keep) ? keep : join(found, `${name}.png`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, Buffer.from(small.slice(small.indexOf(',') + 1), 'base64'))
  if (!existsSync(keep)) throw new Error(`${keep} is missing: npm run pictures -- --renew`)
  const given = { one: small, two: urlOf(readFileSync(keep)), colourMax }
  const share = await canvas.evaluate<number | undefined>(
    `(${differing})(${JSON.stringify(given)})`,
  )
  return { share, isSame: share !== undefined && share <= shareMax, path }
}

const hideClocks = `for (const one of document.querySelectorAll('time, .connection-bar'))
  one.style.visibility = 'hidden'`

const urlOf = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`

/** Runs in the browser. Returns a picture of the mean colours of squares, as a URL. */
const shrink = `async ({ picture, square }) => {
  const image = await createImageBitmap(await (await fetch(picture)).blob())
  const [columns, rows] = [image.width, image.height].map((side) => Math.floor(side / square))
  const whole = new OffscreenCanvas(image.width, image.height).getContext('2d')
  whole.drawImage(image, 0, 0)
  const from = whole.getImageData(0, 0, image.width, image.height).data
  const canvas = Object.assign(document.createElement('canvas'), { width: columns, height: rows })
  const to = canvas.getContext('2d').createImageData(columns, rows)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0
        for (let y = row * square; y < (row + 1) * square; y++)
          for (let x = column * square; x < (column + 1) * square; x++)
            sum += from[(y * image.width + x) * 4 + channel]
        to.data[(row * columns + column) * 4 + channel] = Math.round(sum / square ** 2)
      }
  canvas.getContext('2d').putImageData(to, 0, 0)
  return canvas.toDataURL('image/png')
}`

/** Runs in the browser. Returns the share of pixels that differ, if the sizes are the same. */
const differing = `async ({ one, two, colourMax }) => {
  const pixels = async (url) => {
    const image = await createImageBitmap(await (await fetch(url)).blob())
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, image.width, image.height)
  }
  const [a, b] = await Promise.all([pixels(one), pixels(two)])
  if (a.width !== b.width || a.height !== b.height) return undefined
  let count = 0
  for (let at = 0; at < a.data.length; at += 4)
    if ([0, 1, 2].some((channel) => Math.abs(a.data[at + channel] - b.data[at + channel]) > colourMax))
      count++
  return count / (a.width * a.height)
}`
