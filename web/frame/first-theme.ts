// Runs before the first paint, so that a chosen theme does not flash.

import { kept } from '../browser/storage.ts'

const root = document.documentElement
const theme = kept.getItem('theme')
if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
const asksForMore =
  kept.getItem('contrast') === 'more' || matchMedia('(prefers-contrast: more)').matches
if (asksForMore) root.dataset.contrast = 'more'
