import { useSignal } from '@preact/signals'
import { Play } from 'lucide'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { can } from '../../data/session.ts'
import { type DeployBody, type StackDetails, startDeploy } from '../../data/stack-operations.ts'
import { useQuery } from '../../frame/address.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/checkbox.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import type { Choices } from './deploy-choices.tsx'
import { followDeploy } from './follow-deploy.ts'

interface DeployFormProps {
  stack: StackDetails
  /** What was planned, and the revision of the files. */
  body: Pick<DeployBody, 'environment' | 'services' | 'profiles' | 'pull' | 'revision'> & Choices
  onPlanAgain: () => void
  /** What an account that saved the files may not use, by the names that a deploy accepts. */
  references: readonly string[]
  /** Files were edited on the host. */
  hasDrift: boolean
  /** The plan has no steps. */
  isCurrent: boolean
}

type OnDrift = NonNullable<DeployBody['on_drift']>

const driftChoices = (): OnDrift[] =>
  can('stacks:update') ? ['fail', 'overwrite', 'import'] : ['fail', 'overwrite']

/** The button that does what the plan says, with its choices. Enter presses it. */
export function DeployForm(props: DeployFormProps) {
  const { stack, body, onPlanAgain, references, hasDrift, isCurrent } = props
  const { name, operation } = stack
  const button = useRef<HTMLButtonElement>(null)
  const [onDrift, setOnDrift] = useQuery('drift', 'fail')
  const accepted = useSignal<readonly string[]>([])
  const start = useMemo(
    () =>
      act(async (asked: DeployBody) => followDeploy(await startDeploy(name, asked)), {
        failed: t.stack.notDeployed(name),
        tellsProblem: false,
      }),
    [name],
  )
  // Deploy opened the plan, so Enter confirms it. A focus that the reader has moved stays.
  useEffect(() => {
    const focused = document.activeElement
    if (focused === null || focused === document.body || focused.tagName === 'H1')
      button.current?.focus({ preventScroll: true })
  }, [])
  const deploy = () =>
    void start.run({
      ...body,
      ...(hasDrift && { on_drift: onDrift as OnDrift }),
      ...(references.length > 0 && { accept_references: [...accepted.value] }),
    })
  const blocked =
    operation !== null
      ? t.stack.busy(name, t.stack.doing[operation])
      : hasDrift && onDrift === 'fail'
        ? t.stack.chooseDrift
        : references.some((reference) => !accepted.value.includes(reference))
          ? t.stack.acceptEach
          : undefined
  const what = body.services?.join(', ') ?? name
  return (
    <div class="deploy-form">
      {start.problem.value && (
        <Problem title={t.stack.notDeployed(name)} {...start.problem.value}>
          {start.problem.value.reason === 'stale-revision' && (
            <Button onClick={onPlanAgain}>{t.stack.planAgain}</Button>
          )}
        </Problem>
      )}
      {hasDrift && (
        <Select
          label={t.stack.onDrift}
          value={onDrift}
          options={driftChoices().map((value) => ({
            value,
            label: t.stack.driftChoices[value],
          }))}
          onChange={setOnDrift}
        />
      )}
      {references.map((reference) => (
        <Checkbox
          key={reference}
          label={t.stack.acceptReference(reference)}
          checked={accepted.value.includes(reference)}
          onChange={(checked) => {
            const others = accepted.value.filter((one) => one !== reference)
            accepted.value = checked ? [...others, reference] : others
          }}
        />
      ))}
      <div class="deploy-button">
        <Button
          kind={isCurrent ? 'plain' : 'primary'}
          icon={Play}
          buttonRef={button}
          blocked={blocked}
          busy={start.pending.value && t.stack.deploying(what)}
          onClick={deploy}
        >
          {isCurrent ? t.stack.deployAnyway(what) : t.stack.deploy(what)}
        </Button>
        {blocked && <span class="quiet-text">{blocked}</span>}
      </div>
    </div>
  )
}
