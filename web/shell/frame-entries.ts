import { Keyboard } from 'lucide'
import { can } from '../data/session.ts'
import type { PaletteEntry } from '../frame/palette-state.ts'
import { openShortcutHelp } from '../frame/shortcuts.ts'
import { t } from '../text/text.ts'
import { appearance } from './account-menu.tsx'
import { placesFor } from './navigation.ts'

/** Returns the palette's entries of the frame: places, and how the UI looks. */
export function frameEntries(): PaletteEntry[] {
  const places = placesFor(can)
    .flat()
    .map(({ href, label, icon, key }) => ({
      label: t.frame[label] as string,
      icon,
      href,
      ...(key && { keys: `g ${key}` }),
    }))
  const appearanceEntries = appearance().map(({ label, icon, run }) => ({
    label,
    ...(icon && { icon }),
    ...(run && { run }),
  }))
  const help = { label: t.shortcuts.title, icon: Keyboard, keys: '?', run: openShortcutHelp }
  return [...places, ...appearanceEntries, help]
}
