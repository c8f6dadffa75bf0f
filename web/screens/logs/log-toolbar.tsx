import './log-toolbar.css'
import { useSignal } from '@preact/signals'
import { Braces, Clock, Download, Eraser, SlidersHorizontal, WrapText } from 'lucide'
import type { ComponentChildren } from 'preact'
import { IconButton } from '../../parts/button.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import { LevelChips } from './level-chips.tsx'
import { fileText } from './log-copy.ts'
import { logDisplay, toggleDisplay } from './log-display.ts'
import type { LogModel } from './log-model.ts'
import { LogSearchBox } from './log-search-box.tsx'
import { RangeChoice } from './range-choice.tsx'
import { useLogQuery } from './use-log-query.ts'

interface ToolbarProps {
  model: LogModel
  file: string
  filter: ComponentChildren
}

/**
 * What is done with a log: choose, search, filter, change how it looks, save. On a phone all but
 * the search is behind a button.
 */
export function LogToolbar({ model, file, filter }: ToolbarProps) {
  const isOpen = useSignal(false)
  const { levels, range } = useLogQuery()
  const isNarrowed = levels.length > 0 || Object.values(range).some(Boolean)
  const names = ['log-toolbar', isOpen.value && 'open', isNarrowed && 'narrowed']
  return (
    <div class={names.filter(Boolean).join(' ')}>
      <LogSearchBox model={model} />
      <span class="log-state">
        <FeedState model={model} />
      </span>
      <span class="log-fold">
        <IconButton
          icon={SlidersHorizontal}
          label={t.logs.options}
          pressed={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        />
      </span>
      <div class="log-options">
        {filter}
        <RangeChoice />
        <LevelChips model={model} />
        <Tools model={model} file={file} />
      </div>
    </div>
  )
}

function Tools({ model, file }: Pick<ToolbarProps, 'model' | 'file'>) {
  const { wrap, times, json } = logDisplay.value
  const save = () =>
    saveFile(`${file}.log`, new Blob([fileText(model.ring)], { type: 'text/plain' }))
  return (
    <div class="log-tools">
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
      <IconButton icon={Download} label={t.logs.download} onClick={save} />
    </div>
  )
}

/** What the feed is doing. */
function FeedState({ model }: { model: LogModel }) {
  const state = model.feed.value?.state.value
  if (state === 'reconnecting') return <State of="attention" word={t.logs.reconnecting} />
  if (state === 'ended') return <State of="stopped" word={t.logs.over} />
  if (state === 'live') return <State of="running" word={t.logs.live} />
  return null
}
