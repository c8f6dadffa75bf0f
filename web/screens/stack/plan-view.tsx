import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { useResource } from '../../data/cache.ts'
import { can } from '../../data/session.ts'
import { planStack, type StackDetails } from '../../data/stack-operations.ts'
import { useQuery } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Select } from '../../parts/select.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import { besideNotices } from './beside-notices.ts'
import { type Choices, DeployChoices, usePull } from './deploy-choices.tsx'
import { DeployForm } from './deploy-form.tsx'
import { FileDiffs } from './file-diffs.tsx'
import { countChanges, readPlan } from './plan-changes.ts'
import { PlanTable } from './plan-table.tsx'
import { ProfileChoice, useProfiles } from './profile-choice.tsx'

interface PlanViewProps {
  stack: StackDetails
  /** The service that is deployed; empty for all. */
  service: string
}

/** The plan of a deploy: what happens to which container and why, and which files change. */
export function PlanView({ stack, service }: PlanViewProps) {
  const { name, overlays, revision, last_deployment } = stack
  const [environment, setEnvironment] = useQuery('overlay', stack.environment ?? '')
  const profiles = useProfiles()
  const [pull] = usePull()
  const choices = useSignal<Choices>({})
  const body = {
    ...(environment && { environment }),
    ...(service && { services: [service] }),
    ...(profiles && { profiles: [...profiles] }),
    ...(pull !== 'default' && { pull }),
    ...choices.value,
  }
  // Another deployment that ends makes the plan outdated.
  const words = JSON.stringify([name, revision, last_deployment?.finished_at, body])
  const plan = useMemo(
    () => act(planStack, { failed: t.stack.noPlan(name), tellsProblem: false }),
    [words],
  )
  useEffect(() => void plan.run(name, body), [plan])
  const names = Object.keys(overlays)
  return (
    <div class="plan">
      <h2 class="plan-title">{t.stack.planTitle}</h2>
      {names.length > 0 && (
        <div class="toolbar">
          <Select
            label={t.stack.overlay}
            isBare
            value={environment}
            options={[
              { value: '', label: t.stack.noOverlay },
              ...names.map((value) => ({ value, label: t.stack.withOverlay(value) })),
            ]}
            onChange={setEnvironment}
          />
        </div>
      )}
      <ProfileChoice stack={stack} />
      {can('stacks:deploy') && <DeployChoices choices={choices} />}
      <Loaded
        of={{
          value: plan.result,
          problem: plan.problem,
          reload: () => void plan.run(name, body),
        }}
        what={t.stack.thePlan}
        failed={t.stack.noPlan(name)}
      >
        {(planned) => (
          <Plan
            stack={stack}
            planned={planned}
            body={body}
            onPlanAgain={() => void plan.run(name, body)}
          />
        )}
      </Loaded>
    </div>
  )
}

type PlanBody = Parameters<typeof planStack>[1]

interface PlanProps {
  stack: StackDetails
  planned: Awaited<ReturnType<typeof planStack>>
  body: PlanBody
  onPlanAgain: () => void
}

function Plan({ stack, planned: { steps, revision }, body, onPlanAgain }: PlanProps) {
  const { name, deployed_at } = stack
  const { value: status } = useResource('/stacks/{name}/status', { name })
  const { warnings, references, drift, containers, others } = readPlan(steps)
  const touched = new Set(containers.map((change) => change.name))
  const present = (status.value ?? []).filter(({ container_id }) => container_id !== null)
  const unchanged = present.filter((row) => row.name !== null && !touched.has(row.name)).length
  const counts = countChanges(containers).map(([change, count]) => t.stack.counted[change](count))
  const line = [...counts, ...(unchanged > 0 ? [t.stack.unchanged(unchanged)] : [])].join(' · ')
  const isCurrent = containers.length === 0 && others.length === 0
  return (
    <>
      {isCurrent && drift.length === 0 && (
        <Empty title={t.stack.upToDate(name)}>{t.stack.upToDateWhy}</Empty>
      )}
      {!isCurrent && (
        <p class="plan-line" role="status">
          {line || t.stack.noContainerChanges}
        </p>
      )}
      {[...besideNotices(warnings, stack, ({ reason }) => reason), ...drift].map(
        ({ action, kind, name: about, reason }) => (
          <p key={`${action} ${kind} ${about} ${reason}`} class="plan-warning">
            <State
              of="attention"
              word={action === 'drift' ? t.stack.driftOf[kindOf(kind)] : t.stack.warning}
            />
            <span>
              {about && <code>{about}</code>} {reason}
            </span>
          </p>
        ),
      )}
      {can('stacks:deploy') && (
        <DeployForm
          key={JSON.stringify([body, revision])}
          stack={stack}
          body={{ ...body, revision }}
          onPlanAgain={onPlanAgain}
          references={references.map((one) => one.name)}
          hasDrift={drift.some(({ kind }) => kind === 'file')}
          isCurrent={isCurrent}
        />
      )}
      {containers.length > 0 && (
        <Panel title={t.stack.containers} isFlush>
          <PlanTable label={t.stack.containers} changes={containers} stack={name} rows={present} />
        </Panel>
      )}
      {others.length > 0 && (
        <Panel title={t.stack.around} isFlush>
          <PlanTable label={t.stack.around} changes={others} stack={name} rows={[]} />
        </Panel>
      )}
      {deployed_at !== null && (
        <Panel title={t.stack.changedFiles}>
          <FileDiffs name={name} from="deployed" to="current" none={t.stack.noFileChanges} />
        </Panel>
      )}
    </>
  )
}

const kindOf = (kind: string): 'file' | 'image' => (kind === 'image' ? 'image' : 'file')
