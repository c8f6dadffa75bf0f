// Gives the bars of the browser, and of a phone, the colour of the theme that the page shows. The
// page has a meta `theme-color` for each theme. This runs beside the app, whose first file is full.

import { themeMedia } from './theme-media.ts'

const root = document.documentElement
const metas = document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')

function chooseMeta(): void {
  for (const meta of metas) meta.media = themeMedia(meta.dataset.theme, root.dataset.theme)
}

chooseMeta()
new MutationObserver(chooseMeta).observe(root, { attributeFilter: ['data-theme'] })
