import type { StackDetails } from '../../data/stack-operations.ts'
import { DeleteStack } from './delete-stack.tsx'
import { DownStack } from './down-stack.tsx'
import { ForgetStack } from './forget-stack.tsx'
import { StopStack } from './stop-stack.tsx'

const dialogs = { stop: StopStack, down: DownStack, forget: ForgetStack, delete: DeleteStack }

/** The actions that ask first. */
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
