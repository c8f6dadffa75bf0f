import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { themeMedia } from '../../../web/frame/theme-media.ts'
import manifest from '../../../web/manifest.json' with { type: 'json' }
import { frame } from '../../../web/text/en-frame.ts'
import { bundleWeb, fillPage, workers } from './bundle.mjs'
import { drawIcon, icons } from './draw-icons.mjs'
import { iconAddress, manifestFile } from './home-screen.mjs'

const web = new URL('../../../web/', import.meta.url)
const html = readFileSync(new URL('index.html', web), 'utf8')
const bytesOf = (file: string) => readFileSync(new URL(file, web))

/** Returns the width and height in the header of a PNG file. */
function sizeOf(png: Buffer): [number, number] {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  expect(png.subarray(12, 16).toString('latin1')).toBe('IHDR')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

/** Returns the pixels of a PNG file with one IDAT and no filters. */
function pixelsOf(png: Buffer, size: number): Buffer {
  const at = png.indexOf('IDAT', 0, 'latin1')
  const lines = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
  const width = size * 4 + 1
  expect(lines.length).toBe(size * width)
  return Buffer.concat(
    Array.from({ length: size }, (_, y) => lines.subarray(y * width + 1, (y + 1) * width)),
  )
}

describe('the files', () => {
  test.each(manifest.icons)('the manifest has the size of $src', ({ src, sizes }) => {
    const [width, height] = sizeOf(bytesOf(src))
    expect(`${width}x${height}`).toBe(sizes)
  })

  test('a phone finds each icon that it needs', () => {
    const needed = manifest.icons.map(({ sizes, purpose }) => `${purpose} ${sizes}`)
    expect(needed).toEqual(['any 192x192', 'any 512x512', 'maskable 512x512'])
    expect(sizeOf(bytesOf('icons/touch-180.png'))).toEqual([180, 180])
  })

  test.each(icons)('$name is what the program draws', (icon) => {
    const png = bytesOf(`icons/${icon.name}`)
    expect(sizeOf(png)).toEqual([icon.size, icon.size])
    expect(pixelsOf(png, icon.size).equals(drawIcon(icon))).toBe(true)
  })

  test('an icon that a phone cuts to its own shape has no holes', () => {
    const whole = icons.filter(({ isRound }) => !isRound)
    expect(whole.length).toBe(2)
    for (const icon of whole) {
      const opacities = drawIcon(icon).filter((_, index) => index % 4 === 3)
      expect(opacities.every((one) => one === 255)).toBe(true)
    }
  })

  test('the page opens from its own address in a window of its own, by its English name', () => {
    expect(manifest).toMatchObject({
      name: frame.product,
      lang: 'en',
      start_url: '/',
      scope: '/',
      display: 'standalone',
    })
  })
})

describe('the colours', () => {
  const tokens = readFileSync(new URL('styles/tokens.css', web), 'utf8')
  const [, light = '', dark = ''] = present(
    /--surface-1: light-dark\(oklch\((.*?)\), oklch\((.*?)\)\);/.exec(tokens),
  )

  /** Returns an OKLCH colour as `#rrggbb`. */
  function hexOf(colour: string): string {
    const [lightness = 0, chroma = 0, hue = 0] = colour.split(' ').map(Number)
    const a = chroma * Math.cos((hue * Math.PI) / 180)
    const b = chroma * Math.sin((hue * Math.PI) / 180)
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
    const linear = [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ]
    return `#${linear.map((one) => byteOf(one).toString(16).padStart(2, '0')).join('')}`
  }

  const byteOf = (value: number) =>
    Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055))

  test('the bars of a phone have the colour of the page in both themes', () => {
    const metas = [...html.matchAll(/<meta name="theme-color" content="(.*?)" media="(.*?)"/g)]
    expect(metas.map(([, colour, media]) => [colour, media])).toEqual([
      [hexOf(light), themeMedia('light', undefined)],
      [hexOf(dark), themeMedia('dark', undefined)],
    ])
  })

  test('a manifest has one colour: that of the light theme', () => {
    const { theme_color, background_color } = manifest
    expect([theme_color, background_color]).toEqual([hexOf(light), hexOf(light)])
  })
})

describe('the build', () => {
  let bundle: Awaited<ReturnType<typeof bundleWeb>>
  const assetAt = (address: string) =>
    Buffer.from(present(bundle.files.find(({ path }) => path.endsWith(address))).contents)

  beforeAll(async () => {
    bundle = await bundleWeb(workers)
  })

  test('the page links the manifest and the icons', () => {
    const page = fillPage(html, bundle)
    const linked = (pattern: RegExp) => present(pattern.exec(page)?.[1])
    expect(linked(/<link rel="manifest" href="(.*?)"/)).toBe(bundle.manifest)
    expect(sizeOf(assetAt(linked(/<link rel="apple-touch-icon" href="(.*?)"/)))).toEqual([180, 180])
    const usual = linked(/<link rel="icon" href="(.*?)"/)
    expect(linked(/ data-usual="(.*?)"/)).toBe(usual)
    expect(assetAt(usual)).toEqual(bytesOf('icon.svg'))
    expect(assetAt(linked(/ data-trouble="(.*?)"/))).toEqual(bytesOf('icon-trouble.svg'))
    expect(page).not.toMatch(/\{[A-Z]+\}/)
  })

  test('the manifest names assets of the build', () => {
    const { icons: named, ...rest } = JSON.parse(assetAt(bundle.manifest).toString())
    expect(rest).toMatchObject({ name: manifest.name, start_url: '/' })
    const files = manifest.icons.map(({ src }) => bytesOf(src))
    expect(named.map(({ src }: { src: string }) => assetAt(src))).toEqual(files)
  })

  test('the name of the manifest changes with an icon', () => {
    const names = [...icons, { name: 'icon.svg' }].map(({ name }) => name)
    const outputs = (hash: string) =>
      Object.fromEntries(names.map((name) => [`assets/${name.replace('.', `-${hash}.`)}`, {}]))
    const [one, other] = ['AAAAAAAA', 'BBBBBBBB'].map((hash) => manifestFile(outputs(hash)).name)
    expect(one).toMatch(/^manifest-[0-9a-f]{8}\.webmanifest$/)
    expect(other).not.toBe(one)
  })

  test('a build without an icon fails', () => {
    expect(() => iconAddress({}, 'icons/icon-192.png')).toThrow('no icon icons/icon-192.png')
  })
})
