import {
  Braces,
  CaseSensitive,
  ChevronDown,
  ChevronUp,
  Clock,
  Download,
  Eraser,
  Regex,
  WrapText,
} from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useQuery } from '../../frame/address.ts'
import { focusFilter } from '../../frame/shortcuts.ts'
import { IconButton } from '../../parts/button.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import { fileText } from './log-copy.ts'
import { logDisplay, toggleDisplay } from './log-display.ts'
import type { LogModel } from './log-model.ts'

interface ToolbarProps {
  model: LogModel
  file: string
  filter: ComponentChildren
}

/** What is done with a log: choose, search, change how it looks, save. */
export function LogToolbar({ model, file, filter }: ToolbarProps) {
  const { wrap, times, json } = logDisplay.value
  return (
    <div class="log-toolbar">
      <Search model={model} />
      {filter}
      <div class="log-tools">
        <FeedState model={model} />
        <IconButton
          icon={Clock}
          label={t.logs.times}
          pressed={times}
          onClick={() => toggleDisplay('times')}
        />
        <IconButton
          icon={WrapText}
          label={t.logs.wrap}
          pressed={wrap}
          onClick={() => toggleDisplay('wrap')}
        />
        <IconButton
          icon={Braces}
          label={t.logs.json}
          pressed={json}
          onClick={() => toggleDisplay('json')}
        />
        <IconButton icon={Eraser} label={t.logs.clear} onClick={() => model.clear()} />
        <IconButton
          icon={Download}
          label={t.logs.download}
          onClick={() =>
            saveFile(`${file}.log`, new Blob([fileText(model.ring)], { type: 'text/plain' }))
          }
        />
      </div>
    </div>
  )
}

/** What the feed is doing; nothing while it is live. */
function FeedState({ model }: { model: LogModel }) {
  const state = model.feed.value?.state.value
  if (state === 'reconnecting') return <State of="attention" word={t.logs.reconnecting} />
  if (state === 'ended') return <State of="stopped" word={t.logs.over} />
  if (state === 'live') return <State of="running" word={t.logs.live} />
  return null
}

function Search({ model }: { model: LogModel }) {
  const [text, setText] = useQuery('find')
  const [kind, setKind] = useQuery('as')
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
    <div class="log-search" onKeyDown={onKey}>
      <SearchField label={t.logs.search} value={text} onInput={setText} />
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
      {text !== '' && <Matches model={model} />}
    </div>
  )
}

function Matches({ model }: { model: LogModel }) {
  const found = model.search.found.value
  const trouble = model.search.trouble.value
  const at = found.indexOf(model.current.value ?? -1)
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
