import { CaseSensitive, ChevronDown, ChevronUp, ListFilter, Regex } from 'lucide'
import { useEffect } from 'preact/hooks'
import { focusFilter } from '../../frame/shortcuts.ts'
import { IconButton } from '../../parts/button.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { t } from '../../text/text.ts'
import type { LogModel } from './log-model.ts'
import { useLogQuery } from './use-log-query.ts'

/** The search of a log: its words, how they are meant, and the way from match to match. */
export function LogSearchBox({ model }: { model: LogModel }) {
  const { text, setText, kind, setKind, isOnlyMatches, setOnlyMatches } = useLogQuery()
  useFindKey()
  const toggle = (word: string) => {
    const words = kind.split(' ').filter(Boolean)
    const next = words.includes(word) ? words.filter((one) => one !== word) : [...words, word]
    setKind(next.sort().join(' '))
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    model.move(event.shiftKey ? -1 : 1)
  }
  return (
    // The field handles its own keys; this adds Enter.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      class="log-search"
      onKeyDown={(event) => event.target instanceof HTMLInputElement && onKey(event)}
    >
      <SearchField label={t.logs.search} value={text} onInput={setText} />
      <span class="log-search-kinds">
        <IconButton
          icon={CaseSensitive}
          label={t.logs.exact}
          pressed={kind.includes('case')}
          onClick={() => toggle('case')}
        />
        <IconButton
          icon={Regex}
          label={t.logs.expression}
          pressed={kind.includes('regex')}
          onClick={() => toggle('regex')}
        />
      </span>
      {text !== '' && (
        <span class="log-matches">
          <IconButton
            icon={ListFilter}
            label={t.logs.onlyMatches}
            pressed={isOnlyMatches}
            onClick={() => setOnlyMatches(!isOnlyMatches)}
          />
          <Matches model={model} />
        </span>
      )}
    </div>
  )
}

function Matches({ model }: { model: LogModel }) {
  const found = model.search.found.value
  const trouble = model.search.trouble.value
  const at = found.indexOf(model.current.value ?? Number.NaN)
  const words =
    trouble === 'invalid'
      ? t.logs.invalid
      : trouble === 'slow'
        ? t.logs.slow
        : t.logs.matches(at + 1, found.length)
  return (
    <>
      <IconButton icon={ChevronUp} label={t.logs.previous} onClick={() => model.move(-1)} />
      <IconButton icon={ChevronDown} label={t.logs.next} onClick={() => model.move(1)} />
      <span class={trouble ? 'log-count trouble' : 'log-count'} role="status">
        {words}
      </span>
    </>
  )
}

/** Ctrl+F opens the search of the log; pressed again, that of the browser. */
function useFindKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && event.key === 'f'
      if (!isFind || document.querySelector('dialog[open]')) return
      if (document.activeElement?.matches('[data-filter]')) return
      event.preventDefault()
      focusFilter()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
