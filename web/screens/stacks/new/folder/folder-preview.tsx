import { Checkbox } from '../../../../parts/checkbox.tsx'
import { formatBytes } from '../../../../parts/format-bytes.ts'
import { Panel } from '../../../../parts/panel.tsx'
import { State } from '../../../../parts/state.tsx'
import { t } from '../../../../text/text.ts'
import type { FolderChoice } from './folder-choice.ts'

/** Names beyond these are counted. */
const shownMax = 20

/** The files of a directory to send, and those left out with the reason. The reader can choose. */
export function FolderPreview({ choice }: { choice: FolderChoice }) {
  const { named, groups, refused, leftOut, sent, toggle } = choice
  const all = [...named, ...sent.value]
  const bytes = all.reduce((sum, { file }) => sum + file.size, 0)
  return (
    <Panel title={t.newStack.sent(all.length, formatBytes(bytes))}>
      <ul class="sent-list">
        <li>
          <State of="running" word={named.map(({ path }) => path).join(', ')} />
        </li>
        {groups.map(({ path, files, bytes: size, reason }) => (
          <li key={path}>
            <Checkbox
              label={<code>{path}</code>}
              checked={!leftOut.value.has(path)}
              onChange={() => toggle(path)}
            />
            <span class="sent-why">
              {path.endsWith('/') && `${t.newStack.files(files.length)}, `}
              {formatBytes(size)}
              {reason && leftOut.value.has(path) && ` · ${t.newStack.leftOut[reason]}`}
            </span>
          </li>
        ))}
        {refused.slice(0, shownMax).map(({ path, reason }) => (
          <li key={path}>
            <State of="stopped" word={t.newStack.notSent(path)} />
            <span class="sent-why">{t.newStack.leftOut[reason]}</span>
          </li>
        ))}
        {refused.length > shownMax && (
          <li class="sent-why">{t.newStack.andMore(refused.length - shownMax)}</li>
        )}
      </ul>
    </Panel>
  )
}
