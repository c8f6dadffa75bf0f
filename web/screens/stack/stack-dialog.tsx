import type { StackDetails } from '../../data/stack-operations.ts'
import { DeleteStack } from './delete-stack.tsx'
import { DownStack } from './down-stack.tsx'
import FollowSource from './follow-source.tsx'
import { ForgetStack } from './forget-stack.tsx'
import { SharedVariables } from './shared-variables.tsx'
import { StackHookDialog } from './stack-hook.tsx'
import StackJobForm from './stack-job-form.tsx'
import { StopStack } from './stop-stack.tsx'

const dialogs = {
  stop: StopStack,
  down: DownStack,
  hook: StackHookDialog,
  job: StackJobForm,
  follow: FollowSource,
  variables: SharedVariables,
  forget: ForgetStack,
  delete: DeleteStack,
}

/** The actions that ask first, and what has a dialog of its own. */
export type Asked = keyof typeof dialogs

interface StackDialogProps {
  asked: Asked
  stack: StackDetails
  onClose: () => void
}

/** The question before an action on a stack. */
export default function StackDialog({ asked, stack, onClose }: StackDialogProps) {
  const Dialog = dialogs[asked]
  return <Dialog stack={stack} onClose={onClose} />
}
