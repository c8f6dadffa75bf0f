import { deleteHook, makeHook, rotateHook, type StackHook, useHook } from '../../data/stack-hook.ts'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { HookDialog, type HookWays } from '../hooks/hook-dialog.tsx'

const ways: HookWays<StackHook> = {
  useHook,
  make: makeHook,
  rotate: rotateHook,
  remove: deleteHook,
  none: () => t.hook.none,
  rotateAsk: () => t.hook.rotateAsk,
  last: (hook) => [t.hook.lastDeployment, deploymentText(hook)],
}

interface StackHookProps {
  stack: { name: string }
  onClose: () => void
}

/** The hook of a stack. */
export const StackHookDialog = ({ stack: { name }, onClose }: StackHookProps) => (
  <HookDialog name={name} ways={ways} onClose={onClose} />
)

function deploymentText({ last_deployment: last, is_waiting: isWaiting }: StackHook) {
  if (isWaiting) return t.hook.waiting
  if (!last) return t.parts.never
  return (
    <>
      <Time at={last.at} /> {last.error ?? t.hook.begun}
    </>
  )
}
