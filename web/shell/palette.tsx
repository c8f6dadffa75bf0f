import './palette.css'
import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { go } from '../frame/address.ts'
import { isPaletteOpen, type PaletteEntry, paletteSources } from '../frame/palette-state.ts'
import { focusReturner } from '../parts/focus-return.ts'
import { Icon } from '../parts/icon.tsx'
import { Keys } from '../parts/keys.tsx'
import { t } from '../text/text.ts'
import { rank } from './rank.ts'
import { Things } from './things.tsx'

/** Everything by name and every action, by the keyboard alone. */
export function Palette() {
  if (!isPaletteOpen.value) return null
  return (
    <>
      <OpenPalette />
      <Things />
    </>
  )
}

function OpenPalette() {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const query = useSignal('')
  const at = useSignal(0)
  useLayoutEffect(() => {
    const returnFocus = focusReturner()
    dialog.current?.showModal()
    return returnFocus
  }, [])
  const entries = [...paletteSources.value].flatMap((source) => source())
  const found = rank(query.value, entries)
  const close = () => {
    isPaletteOpen.value = false
  }
  const choose = (entry: PaletteEntry | undefined) => {
    if (!entry) return
    close()
    if (entry.href !== undefined) go(entry.href)
    entry.run?.()
  }
  const move = (event: KeyboardEvent) => {
    event.stopPropagation()
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') choose(found[at.value])
    if (step === undefined) return
    event.preventDefault()
    at.value = Math.max(0, Math.min(found.length - 1, at.value + step))
    document.getElementById(`${id}-${at.value}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={t.palette.title}
      onCancel={close}
      onClose={close}
      onMouseDown={(event) => event.target === dialog.current && close()}
      onKeyDown={move}
    >
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${at.value}` : undefined}
        aria-label={t.palette.placeholder}
        placeholder={t.palette.placeholder}
        spellcheck={false}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value
          at.value = 0
        }}
      />
      <p role="status" class={found.length > 0 ? 'hidden-text' : 'palette-none'}>
        {found.length > 0 ? t.palette.results(found.length) : t.palette.empty(query.value)}
      </p>
      <div id={id} class="palette-list" role="listbox" tabIndex={-1} aria-label={t.palette.title}>
        {found.map((entry, index) => (
          <Entry
            key={`${entry.label} ${entry.hint} ${entry.href}`}
            id={`${id}-${index}`}
            entry={entry}
            isCurrent={index === at.value}
            onClick={() => choose(entry)}
          />
        ))}
      </div>
    </dialog>
  )
}

interface EntryProps {
  id: string
  entry: PaletteEntry
  isCurrent: boolean
  onClick: () => void
}

function Entry({ id, entry, isCurrent, onClick }: EntryProps) {
  const { label, hint, icon, keys } = entry
  return (
    // The field keeps the focus and handles the keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: see above
    <div id={id} role="option" aria-selected={isCurrent} onClick={onClick}>
      {icon ? <Icon of={icon} /> : <span />}
      <span class="palette-label">{label}</span>
      {hint && <span class="palette-hint">{hint}</span>}
      {keys && <Keys of={keys} />}
    </div>
  )
}
