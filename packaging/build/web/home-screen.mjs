// The manifest and the icons by which a phone shows the page on its home screen. Their names have
// the hash of their content, so each is loaded once.
import { createHash } from 'node:crypto'
import { basename, parse } from 'node:path'
import manifest from '../../../web/manifest.json' with { type: 'json' }

/** The icons that the page links, in `web/`. */
export const pageIcons = {
  ICON: 'icon.svg',
  TROUBLE: 'icon-trouble.svg',
  TOUCH: 'icons/touch-180.png',
}

/**
 * The entries of the bundle that are icons, by the name that each keeps.
 *
 * @type {Record<string, string>}
 */
export const iconEntries = Object.fromEntries(
  [...Object.values(pageIcons), ...manifest.icons.map(({ src }) => src)].map((file) => [
    parse(file).name,
    `web/${file}`,
  ]),
)

/**
 * Returns the address of an icon.
 *
 * @param {Readonly<Record<string, unknown>>} outputs the output files of the bundle by path
 * @param {string} file in `web/`
 * @throws Error if the bundle does not have it
 */
export function iconAddress(outputs, file) {
  const { name, ext } = parse(file)
  const pattern = new RegExp(`/${name}-[A-Z0-9]{8}\\${ext}$`)
  const path = Object.keys(outputs).find((one) => pattern.test(one))
  if (path === undefined) throw new Error(`the bundle has no icon ${file}`)
  return `/assets/${basename(path)}`
}

/**
 * Returns the manifest with the addresses of its icons, and the name of its asset.
 *
 * @param {Readonly<Record<string, unknown>>} outputs the output files of the bundle by path
 */
export function manifestFile(outputs) {
  const icons = manifest.icons.map((icon) => ({ ...icon, src: iconAddress(outputs, icon.src) }))
  const contents = Buffer.from(JSON.stringify({ ...manifest, icons }))
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8)
  return { name: `manifest-${hash}.webmanifest`, contents }
}
