import './hook-dialog.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Resource } from '../../data/resource-cache.ts'
import type { NewHook, StackHook } from '../../data/stack-hook.ts'
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

/** What the hooks of stacks and of sources have in common. */
export type AnyHook = Omit<StackHook, 'last_deployment'>
type MadeSecret = Pick<NewHook, 'path' | 'secret'>

/** The ways of one kind of hooks. */
export interface HookWays<H extends AnyHook> {
  /** A 404 if there is none. */
  useHook(name: string): Resource<H>
  make(name: string): Promise<MadeSecret>
  rotate(name: string): Promise<MadeSecret>
  remove(name: string): Promise<void>
  /** Says what a hook is. */
  none(): string
  /** Says what another secret changes. */
  rotateAsk(): string
  /** What followed the last request, with its name. */
  last(hook: H): readonly [string, ComponentChildren]
}

interface HookDialogProps<H extends AnyHook> {
  /** The stack or the source. */
  name: string
  ways: HookWays<H>
  onClose: () => void
}

/** A hook: its address and what last came, or its secret, right after it is made. */
export function HookDialog<H extends AnyHook>({ name, ways, onClose }: HookDialogProps<H>) {
  const { value, problem } = ways.useHook(name)
  const made = useSignal<MadeSecret | undefined>(undefined)
  const onMade = (hook: MadeSecret) => {
    made.value = hook
  }
  if (made.value) return <MadeHook name={name} hook={made.value} onClose={onClose} />
  const failure = problem.value
  const view = { name, ways, onMade, onClose }
  if (failure?.status === 404) return <NoHook {...view} />
  if (value.value) return <KnownHook {...view} hook={value.value} />
  return (
    <Dialog title={t.hook.title(name)} onClose={onClose}>
      {failure ? <Problem title={t.hook.failed} {...failure} /> : <p>{t.parts.loading}</p>}
    </Dialog>
  )
}

interface ViewProps<H extends AnyHook> extends HookDialogProps<H> {
  onMade: (hook: MadeSecret) => void
}

/** Says what a hook is, and makes one. */
function NoHook<H extends AnyHook>({ name, ways, onMade, onClose }: ViewProps<H>) {
  const make = useAct(ways.make, { failed: t.hook.notMade, tellsProblem: false })
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
      <p>{ways.none()}</p>
    </Dialog>
  )
}

/** What is known of a hook, and ways to renew its secret and to delete it. */
function KnownHook<H extends AnyHook>({
  name,
  ways,
  hook,
  onMade,
  onClose,
}: ViewProps<H> & { hook: H }) {
  const asked = useSignal<'rotate' | 'delete' | undefined>(undefined)
  const rotate = useAct(ways.rotate, { failed: t.hook.notRotated })
  const remove = useAct(ways.remove, {
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
        <p>{ways.rotateAsk()}</p>
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
          ways.last(hook),
        ]}
      />
    </Dialog>
  )
}

const addressOf = ({ path }: Pick<AnyHook, 'path'>) => `${location.origin}${path}`

function refusedText({ last_refused: refused }: AnyHook) {
  if (!refused) return t.parts.never
  return (
    <>
      <Time at={refused.at} /> {t.hook.refusals[refused.reason]}
    </>
  )
}

interface MadeHookProps {
  name: string
  hook: MadeSecret
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
