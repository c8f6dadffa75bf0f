import { useEffect } from 'preact/hooks'
import { can } from '../data/session.ts'
import { go } from '../frame/address.ts'
import { isPaletteOpen, openPalette } from '../frame/palette-state.ts'
import {
  commandKey,
  focusFilter,
  isTyping,
  openShortcutHelp,
  runShortcut,
  type Shortcut,
} from '../frame/shortcuts.ts'
import { t } from '../text/text.ts'
import { placesFor } from './navigation.ts'

/** Returns the shortcuts that work on every page. */
export function everywhere(): Shortcut[] {
  return [
    { keys: `${commandKey}K`, label: t.shortcuts.palette, run: openPalette },
    { keys: '?', label: t.shortcuts.help, run: openShortcutHelp },
    { keys: '/', label: t.shortcuts.filter, run: focusFilter },
    ...placesFor(can)
      .flat()
      .flatMap(({ href, key, label }) =>
        key === undefined
          ? []
          : [
              {
                keys: `g ${key}`,
                label: t.shortcuts.go(t.frame[label] as string),
                run: () => go(href),
              },
            ],
      ),
  ]
}

/** Listens to the shortcuts while the frame is shown. */
export function useGlobalKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        isPaletteOpen.value = !isPaletteOpen.value
      } else if (isCommand || event.altKey || event.defaultPrevented || isTyping(event)) {
        return
      } else if (!document.querySelector('dialog[open]') && runShortcut(event, everywhere())) {
        event.preventDefault()
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
