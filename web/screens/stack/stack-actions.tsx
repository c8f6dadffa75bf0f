import { useSignal } from '@preact/signals'
import {
  Braces,
  GitBranch,
  ListChecks,
  Play,
  Power,
  RotateCw,
  Square,
  Timer,
  Trash2,
  Unlink,
  Webhook,
} from 'lucide'
import { useMemo } from 'preact/hooks'
import { ErrorBoundary as Loading } from 'preact-iso/lazy'
import { act } from '../../data/act.ts'
import { can } from '../../data/session.ts'
import { restartStack, type StackDetails, startDeploy } from '../../data/stack-operations.ts'
import { go } from '../../frame/address.ts'
import { hasPageAt } from '../../frame/known-pages.ts'
import { lazy } from '../../frame/lazy.ts'
import { usePalette } from '../../frame/palette-state.ts'
import { type Shortcut, useShortcuts } from '../../frame/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'
import { durationText } from './duration-text.ts'
import { followDeploy } from './follow-deploy.ts'
import { mayFollow } from './may-follow.ts'
import { setSkipsPlan, skipsPlan } from './skip-plan.ts'
import type { Asked } from './stack-dialog.tsx'
import { useFetchAll } from './use-fetch-all.ts'

const StackDialog = lazy(() => import('./stack-dialog.tsx'))

interface StackActionsProps {
  stack: StackDetails
  /** The page shows the plan, which has its own Deploy button. */
  isPlan: boolean
}

/** The verbs of a stack: Deploy as the primary action, the others in a menu. */
export function StackActions({ stack, isPlan }: StackActionsProps) {
  const { name, operation, drift } = stack
  const openDialog = useSignal<Asked | undefined>(undefined)
  const restart = useMemo(
    () =>
      act(restartStack, {
        ended: (done) => t.stack.restarted(name, durationText(done)),
        failed: t.stack.notRestarted(name),
      }),
    [name],
  )
  const start = useMemo(() => act(deployNow, { failed: t.stack.notDeployed(name) }), [name])
  const mayDeploy = can('stacks:deploy') && !isPlan
  const at = `/stacks/${encodeURIComponent(name)}`
  const showPlan = () => go(`${at}/deploy`)
  const isUnseen = skipsPlan() && drift.length === 0
  const deploy = () => (isUnseen ? void start.run(stack) : showPlan())
  const blocked = operation === null ? undefined : t.stack.busy(name, t.stack.doing[operation])
  const fetches = useFetchAll(stack, blocked)
  const items = itemsFor(stack, blocked, fetches, {
    restart: () => void restart.run(name),
    ask: (what) => {
      openDialog.value = what
    },
  })
  const plan: MenuItem = { label: t.stack.showPlan(name), icon: ListChecks, run: showPlan }
  const again: MenuItem = { label: t.stack.planFirst, run: () => setSkipsPlan(false) }
  const extra = isUnseen && mayDeploy ? [plan, again] : []
  useShortcuts([
    ...(mayDeploy && !blocked ? [{ keys: 'd', label: t.stack.deploy(name), run: deploy }] : []),
    ...tabKeys(at),
  ])
  usePalette(() => [
    ...(mayDeploy && !blocked ? [{ label: t.stack.deploy(name), icon: Play, run: deploy }] : []),
    ...[...extra, ...items].flatMap(({ label, icon, run, blocked: why }) =>
      run && why === undefined ? [{ label, run, ...(icon && { icon }) }] : [],
    ),
  ])
  const close = () => {
    openDialog.value = undefined
  }
  return (
    <>
      {mayDeploy && (
        <Button
          kind="primary"
          icon={Play}
          busy={start.pending.value && t.stack.deploying(name)}
          blocked={blocked}
          short={t.stack.deployShort}
          onClick={deploy}
        >
          {t.stack.deploy(name)}
        </Button>
      )}
      {items.length > 0 && <Menu label={t.stack.actions(name)} items={[...extra, ...items]} />}
      {openDialog.value && (
        <Loading>
          <StackDialog asked={openDialog.value} stack={stack} onClose={close} />
        </Loading>
      )}
    </>
  )
}

/** Deploys with the overlay of the last deploy, and shows it live. */
const deployNow = async ({ name, environment }: StackDetails) =>
  followDeploy(await startDeploy(name, environment === null ? {} : { environment }))

/** The tabs that have a key of their own. */
const tabKeys = (at: string): Shortcut[] =>
  [
    { keys: 'l', label: t.frame.logs, end: '/logs' },
    { keys: 'e', label: t.stack.files, end: '/files' },
  ]
    .filter(({ end }) => hasPageAt(`${at}${end}`))
    .map(({ keys, label, end }) => ({ keys, label, run: () => go(`${at}${end}`) }))

function itemsFor(
  { name, status, source }: StackDetails,
  blocked: string | undefined,
  fetches: readonly MenuItem[],
  run: { restart: () => void; ask: (what: Asked) => void },
): MenuItem[] {
  const none = status === 'not_deployed' ? t.stack.noContainers : undefined
  const why = blocked ?? none
  const deploys: MenuItem[] = [
    { label: t.stack.restart(name), icon: RotateCw, run: run.restart, blocked: why },
    { label: t.stack.stop(name), icon: Square, run: () => run.ask('stop'), blocked: why },
    ...fetches,
    { label: t.hook.open(name), icon: Webhook, run: () => run.ask('hook') },
    // The line of the source has a button for one that follows a source.
    ...(source === null && mayFollow()
      ? [{ label: t.followed.open, icon: GitBranch, run: () => run.ask('follow') }]
      : []),
  ]
  const takes: MenuItem[] = [
    { label: t.variables.open, icon: Braces, run: () => run.ask('variables') },
  ]
  const mayTake = can('stacks:update') && can('stacks:secrets')
  const deletes: MenuItem[] = [
    {
      label: t.stack.down(name),
      icon: Power,
      kind: 'danger' as const,
      run: () => run.ask('down'),
      blocked: why,
    },
    {
      label: t.stack.forget(name),
      icon: Unlink,
      kind: 'danger' as const,
      run: () => run.ask('forget'),
      blocked,
    },
    {
      label: t.stack.delete(name),
      icon: Trash2,
      kind: 'danger' as const,
      run: () => run.ask('delete'),
      blocked,
    },
  ]
  const job: MenuItem = { label: t.jobs.addTo(name), icon: Timer, run: () => run.ask('job') }
  return [
    ...(can('stacks:deploy') ? deploys : []),
    ...(can('containers:exec') ? [job] : []),
    ...(mayTake ? takes : []),
    ...(can('stacks:delete') ? deletes : []),
  ]
}
