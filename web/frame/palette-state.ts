import { signal } from '@preact/signals'
import type { IconNode } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'

/** An entry of the palette: a page or resource with an address, or an action. */
export interface PaletteEntry {
  label: string
  /** What it is, beside the label: "Stack on nas". It is searched too. */
  hint?: string
  icon?: IconNode
  href?: string
  run?: () => void
  keys?: string
}

type Source = () => readonly PaletteEntry[]

export const isPaletteOpen = signal(false)
export const openPalette = (): void => {
  isPaletteOpen.value = true
}

/** Where entries come from. Read when the palette is open, so a source may read signals. */
export const paletteSources = signal<ReadonlySet<Source>>(new Set())

/**
 * Adds entries to the palette while the component is mounted, such as the actions of a page. The
 * newest come first, unless they are to be last.
 */
export function usePalette(source: Source, place: 'first' | 'last' = 'first'): void {
  const latest = useRef(source)
  latest.current = source
  useEffect(() => {
    const read: Source = () => latest.current()
    const others = [...paletteSources.value]
    paletteSources.value = new Set(place === 'first' ? [read, ...others] : [...others, read])
    return () => {
      const rest = new Set(paletteSources.value)
      rest.delete(read)
      paletteSources.value = rest
    }
  }, [place])
}
