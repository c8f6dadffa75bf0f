import { useSignal } from '@preact/signals'
import { Undo2 } from 'lucide'
import { useResource } from '../../data/cache.ts'
import { serviceTime } from '../../data/clock.ts'
import { can } from '../../data/session.ts'
import { type StackDetails, undoUpdate } from '../../data/stack-operations.ts'
import { useAct } from '../../data/use-act.ts'
import { go } from '../../frame/address.ts'
import { Button } from '../../parts/button.tsx'
import { now } from '../../parts/clock.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Link } from '../../parts/link.tsx'
import { State, type StateName } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { whenText } from '../updates/when-text.ts'

type Last = NonNullable<StackDetails['last_update']>

/** How the last automatic update of a stack went, and the way to undo it with its data. */
export function LastUpdate({ stack }: { stack: string }) {
  const { value } = useResource('/stacks/{name}', { name: stack })
  const isAsked = useSignal(false)
  const last = value.value?.last_update ?? null
  if (!last) return null
  const { deployment_id: id, at, undo } = last
  const { of, word, detail } = accountOf(last)
  const until = undo && Date.parse(undo.until)
  const mayUndo =
    until !== null && until > serviceTime() && rightsToUndo.every((right) => can(right))
  const ask = (isOpen: boolean) => () => {
    isAsked.value = isOpen
  }
  return (
    <p>
      <State of={of} word={word} />
      <Time at={at} />
      {detail !== null && <span class="stack-error">{detail}</span>}
      {id !== null && (
        <Link href={`/stacks/${encodeURIComponent(stack)}/deployments/${id}`}>
          {t.heldBack.show}
        </Link>
      )}
      {mayUndo && (
        <Button icon={Undo2} onClick={ask(true)}>
          {t.lastUpdate.undo}
        </Button>
      )}
      {mayUndo && <span class="quiet-text">{t.lastUpdate.until(whenText(until, now.value))}</span>}
      {isAsked.value && <UndoUpdate stack={stack} onClose={ask(false)} />}
    </p>
  )
}

/** What an undo needs: it restores the stack, and deploys it. */
const rightsToUndo = [
  ...['stacks:deploy', 'stacks:create', 'stacks:update', 'stacks:secrets'],
  'backups:manage',
]

interface Account {
  of: StateName
  word: string
  detail: string | null
}

/** Returns in a few words how an update went. */
function accountOf({ outcome, reason, rollback, undone_by: undoneBy }: Last): Account {
  if (outcome === 'good') return { of: 'running', word: t.lastUpdate.good, detail: null }
  if (outcome !== 'bad') return { of: 'attention', word: t.lastUpdate[outcome], detail: reason }
  const state = rollback?.state ?? 'done'
  if (undoneBy !== null && state === 'done') {
    return { of: 'stopped', word: t.lastUpdate.undone.done(undoneBy), detail: null }
  }
  const word = undoneBy === null ? t.lastUpdate.bad[state] : t.lastUpdate.undone[state](undoneBy)
  if (state === 'failed') return { of: 'failed', word, detail: rollback?.error ?? reason }
  if (state === 'due') return { of: 'working', word, detail: rollback?.error ?? reason }
  return { of: 'attention', word, detail: reason }
}

/** Asks before an update is undone: says what goes back, and what is kept. */
function UndoUpdate({ stack, onClose }: { stack: string; onClose: () => void }) {
  const undo = useAct(undoUpdate, {
    ended: () => t.lastUpdate.started(stack),
    failed: t.lastUpdate.notStarted,
  })
  const confirm = async () => {
    const run = await undo.run(stack)
    if (run) go(`/backups/runs?run=${run.id}`)
  }
  return (
    <Confirm
      title={t.lastUpdate.ask(stack)}
      action={t.lastUpdate.confirm}
      busy={undo.pending.value && t.lastUpdate.starting}
      onConfirm={() => void confirm()}
      onClose={onClose}
      stays={t.lastUpdate.stays}
    >
      <p>{t.lastUpdate.goesBack}</p>
    </Confirm>
  )
}
