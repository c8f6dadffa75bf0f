import { useSignal } from '@preact/signals'
import {
  deleteHook,
  makeHook,
  type NewHook,
  rotateHook,
  type StackHook,
  useHook,
} from '../../data/stack-hook.ts'
import { useAct } from '../../data/use-act.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'

interface HookDialogProps {
  stack: { name: string }
  onClose: () => void
}

/** The hook of a stack: its address and what last came, or its secret, right after it is made. */
export function HookDialog({ stack: { name }, onClose }: HookDialogProps) {
  const { value, problem } = useHook(name)
  const made = useSignal<NewHook | undefined>(undefined)
  const onMade = (hook: NewHook) => {
    made.value = hook
  }
  if (made.value) return <MadeHook name={name} hook={made.value} onClose={onClose} />
  const failure = problem.value
  if (failure?.status === 404) return <NoHook name={name} onMade={onMade} onClose={onClose} />
  if (value.value) {
    return <KnownHook name={name} hook={value.value} onMade={onMade} onClose={onClose} />
  }
  return (
    <Dialog title={t.hook.title(name)} onClose={onClose}>
      {failure ? <Problem title={t.hook.failed} {...failure} /> : <p>{t.parts.loading}</p>}
    </Dialog>
  )
}

interface ViewProps {
  name: string
  onMade: (hook: NewHook) => void
  onClose: () => void
}

/** Says what a hook is, and makes one. */
function NoHook({ name, onMade, onClose }: ViewProps) {
  const make = useAct(makeHook, { failed: t.hook.notMade, tellsProblem: false })
  const problem = make.problem.value
  const submit = async () => {
    const hook = await make.run(name)
    if (hook) onMade(hook)
  }
  const actions = (
    <>
      <Button onClick={onClose}>{t.parts.cancel}</Button>
      <Button
        kind="primary"
        busy={make.pending.value && t.hook.making}
        onClick={() => void submit()}
      >
        {t.hook.make}
      </Button>
    </>
  )
  return (
    <Dialog title={t.hook.title(name)} onClose={onClose} actions={actions}>
      {problem && <Problem title={t.hook.notMade} {...problem} />}
      <p>{t.hook.none}</p>
    </Dialog>
  )
}

/** What is known of a hook, and ways to renew its secret and to delete it. */
function KnownHook({ name, hook, onMade, onClose }: ViewProps & { hook: StackHook }) {
  const asked = useSignal<'rotate' | 'delete' | undefined>(undefined)
  const rotate = useAct(rotateHook, { failed: t.hook.notRotated })
  const remove = useAct(deleteHook, {
    ended: () => t.hook.deleted(name),
    failed: t.hook.notDeleted,
  })
  const keep = () => {
    asked.value = undefined
  }
  if (asked.value === 'rotate') {
    return (
      <Confirm
        title={t.hook.rotateTitle}
        action={t.hook.rotate}
        busy={rotate.pending.value && t.hook.working}
        onClose={keep}
        onConfirm={() => void rotate.run(name).then((made) => made && onMade(made))}
      >
        <p>{t.hook.rotateAsk}</p>
      </Confirm>
    )
  }
  if (asked.value === 'delete') {
    return (
      <Confirm
        title={t.hook.deleteTitle(name)}
        action={t.hook.delete}
        busy={remove.pending.value && t.hook.working}
        onClose={keep}
        onConfirm={() => void remove.run(name).then(keep)}
      >
        <p>{t.hook.deleteAsk}</p>
      </Confirm>
    )
  }
  const actions = (
    <>
      <Button
        onClick={() => {
          asked.value = 'delete'
        }}
      >
        {t.hook.delete}
      </Button>
      <Button
        onClick={() => {
          asked.value = 'rotate'
        }}
      >
        {t.hook.rotate}
      </Button>
    </>
  )
  return (
    <Dialog title={t.hook.title(name)} size="medium" onClose={onClose} actions={actions}>
      <Facts
        of={[
          [t.hook.address, <Value key="address" text={addressOf(hook)} what={t.hook.address} />],
          [
            t.hook.actsAs,
            hook.blocked === null ? hook.acts_as : <State of="failed" word={hook.blocked} />,
          ],
          [t.hook.accepted, hook.accepted_at ? <Time at={hook.accepted_at} /> : t.parts.never],
          [t.hook.refused, refusedText(hook)],
          [t.hook.lastDeployment, deploymentText(hook)],
        ]}
      />
    </Dialog>
  )
}

const addressOf = ({ path }: Pick<StackHook, 'path'>) => `${location.origin}${path}`

function refusedText({ last_refused: refused }: StackHook) {
  if (!refused) return t.parts.never
  return (
    <>
      <Time at={refused.at} /> {t.hook.refusals[refused.reason]}
    </>
  )
}

function deploymentText({ last_deployment: last, is_waiting: isWaiting }: StackHook) {
  if (isWaiting) return t.hook.waiting
  if (!last) return t.parts.never
  return (
    <>
      <Time at={last.at} /> {last.error ?? t.hook.begun}
    </>
  )
}

interface MadeHookProps {
  name: string
  hook: NewHook
  onClose: () => void
}

/** The secret of a hook that was just made, and where to paste it. */
function MadeHook({ name, hook, onClose }: MadeHookProps) {
  const address = addressOf(hook)
  const curl = `curl --request POST --header "Authorization: Bearer ${hook.secret}" ${address}`
  return (
    <Dialog
      title={t.hook.title(name)}
      size="medium"
      onClose={onClose}
      isShownOnce
      actions={
        <Button kind="primary" onClick={onClose}>
          {t.parts.close}
        </Button>
      }
    >
      <p>{t.hook.shownOnce}</p>
      <Facts
        of={[
          [t.hook.address, <Value key="address" text={address} what={t.hook.address} />],
          [t.hook.secret, <Value key="secret" text={hook.secret} what={t.hook.secret} />],
          ['GitHub', t.hook.github],
          ['Gitea, Forgejo', t.hook.gitea],
          ['GitLab', t.hook.gitlab],
          ['curl', <Value key="curl" text={curl} what={t.hook.command} />],
        ]}
      />
    </Dialog>
  )
}

/** A text that is to be copied. */
function Value({ text, what }: { text: string; what: string }) {
  return (
    <span class="hook-value">
      <code>{text}</code> <Copy text={text} what={what} />
    </span>
  )
}
