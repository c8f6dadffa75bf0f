import {
  deleteSourceHook,
  makeSourceHook,
  rotateSourceHook,
  type SourceHook,
  useSourceHook,
} from '../../data/source-hook.ts'
import type { Source } from '../../data/sources.ts'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { HookDialog, type HookWays } from '../hooks/hook-dialog.tsx'

const ways: HookWays<SourceHook> = {
  useHook: useSourceHook,
  make: makeSourceHook,
  rotate: rotateSourceHook,
  remove: deleteSourceHook,
  none: () => t.hook.noneOfSource,
  rotateAsk: () => t.hook.rotateAskOfSource,
  last: (hook) => [t.hook.lastLook, lookText(hook)],
}

interface SourceHookProps {
  source: Pick<Source, 'name'>
  onClose: () => void
}

/** The hook of a source. */
export const SourceHookDialog = ({ source: { name }, onClose }: SourceHookProps) => (
  <HookDialog name={name} ways={ways} onClose={onClose} />
)

function lookText({ last_look: last, is_waiting: isWaiting }: SourceHook) {
  if (isWaiting) return t.hook.lookWaiting
  if (!last) return t.parts.never
  return (
    <>
      <Time at={last.at} /> {last.error ?? t.hook.seen}
    </>
  )
}
