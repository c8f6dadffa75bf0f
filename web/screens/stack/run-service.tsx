import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { createOneOff, type StackDetails } from '../../data/stack-operations.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../text/text.ts'
import { Terminal } from '../containers/terminal.tsx'
import { commandWords } from './command-words.ts'
import { startOneOff } from './start-one-off.ts'

interface RunServiceProps {
  stack: StackDetails
  service: string
  onClose: () => void
}

/** Runs a command once, in a new container of a service, and shows its terminal. */
export function RunService({ stack, service, onClose }: RunServiceProps) {
  const command = useSignal('')
  const user = useSignal('')
  const isRunning = useSignal(false)
  const end = useRef<HTMLButtonElement>(null)
  const words = commandWords(command.value)
  const title = t.stack.run(service)
  if (isRunning.value)
    return (
      // Escape belongs to the program.
      <Dialog
        title={title}
        size="large"
        actions={
          <Button buttonRef={end} onClick={onClose}>
            {t.stack.endAndClose}
          </Button>
        }
      >
        <div class="one-off">
          <Terminal
            isShown
            onLeave={() => end.current?.focus()}
            start={(size, onOutput) =>
              startOneOff(
                () =>
                  createOneOff(stack, service, { command: words ?? [], user: user.value.trim() }),
                size,
                onOutput,
              )
            }
          />
        </div>
      </Dialog>
    )
  return (
    <FormDialog
      title={title}
      action={t.stack.runAction}
      blocked={words ? undefined : t.stack.openQuote}
      failed={t.stack.verbFailed(service)}
      onSubmit={() => {
        isRunning.value = true
      }}
      onClose={onClose}
    >
      <p>{t.stack.runWhat}</p>
      <TextField
        label={t.stack.command}
        help={t.stack.commandHelp}
        error={words ? undefined : t.stack.openQuote}
        isCode
        isOptional
        autocomplete="off"
        value={command.value}
        onInput={(value) => {
          command.value = value
        }}
      />
      <TextField
        label={t.container.asUser}
        isCode
        isOptional
        autocomplete="off"
        value={user.value}
        onInput={(value) => {
          user.value = value
        }}
      />
    </FormDialog>
  )
}
