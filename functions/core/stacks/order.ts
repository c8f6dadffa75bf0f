import type { Plan } from '../compose/plan/draft.ts'
import { fetchesFirst } from '../compose/plan/image-plan.ts'
import { plan, planFiles } from '../compose/plan/plan.ts'
import { planRestart } from '../compose/plan/plan-restart.ts'
import { planRemove, planStop } from '../compose/plan/plan-stop.ts'
import { wanted } from '../compose/plan/wanted.ts'
import type { Project } from '../compose/project.ts'
import type { Engine, Snapshot } from '../engine/engine.ts'
import type { Needs } from '../ports.ts'
import { loadFiles } from './project.ts'
import type { DeploymentKind, DeployOptions, StackFiles, StackRecord } from './stack.ts'
import { hostFiles, type StackTexts } from './texts.ts'

/** What somebody wants done with a stack. */
export interface Order {
  kind: DeploymentKind
  stack: StackRecord
  files: StackFiles
  environment: string | null
  options: DeployOptions
}

/** An order made ready: checked, observed and planned. Nothing has happened yet. */
export interface ReadyOrder {
  order: Order
  engine: Engine
  snapshot: Snapshot
  /** Everything, as far as it can be known now. */
  plan: Plan
  /** Pulls and builds on which it depends what else is done; none for most orders. */
  first: Plan
  /** The plan once they are done: without them, and from what is there then. */
  planAgain(): Promise<Plan>
  /** The texts, for the files step; nothing when the order writes none. */
  texts: StackTexts | null
  project: Project | null
}

type OrderPorts = Needs<'clock' | 'texts' | 'composer' | 'engines'>

/** Options of a deploy that asks for nothing in particular. */
export const plainOptions: DeployOptions = {
  pull: null,
  forceRecreate: false,
  removeOrphans: false,
  services: [],
  volumes: false,
}

/**
 * Loads, observes and plans. Throws a `Failure`: 422 for a project that does not load or asks for what the Engine
 * cannot do, 404 or 409 for things it refers to, 500 for an Engine that does not answer.
 */
export async function makeReady(order: Order, ports: OrderPorts): Promise<ReadyOrder> {
  return order.kind === 'deploy' ? readyDeploy(order, ports) : readyOther(order, ports)
}

async function readyDeploy(order: Order, ports: OrderPorts): Promise<ReadyOrder> {
  const { stack, files, environment, options } = order
  const engine = await ports.engines.on(stack.hostId)
  const observing = Promise.all([engine.info(), engine.observe(stack.id)])
  observing.catch(() => {})
  const loaded = await loadFiles(stack, files, environment, ports)
  const [info, snapshot] = await observing
  const { project, texts } = loaded
  const names = wanted(project, stack.keptVolumes)
  const resolved = await engine.resolve(names)
  const stale = JSON.stringify(stack.written) !== JSON.stringify(files)
  const planOptions = {
    apiVersion: info.apiVersion,
    pull: options.pull,
    forceRecreate: options.forceRecreate,
    removeOrphans: options.removeOrphans,
    files: stale ? hostFiles(texts) : [],
    keptVolumes: stack.keptVolumes,
    now: ports.clock.now(),
  }
  const evidence = { project, resolved, options: planOptions }
  const first = fetchesFirst(evidence, snapshot, (begun) => planFiles(begun, project, planOptions))
  const fetched = first.steps.map(({ name }) => name)
  const wrote = first.steps.some(({ action }) => action === 'write')
  return {
    ...{ order, engine, snapshot, project, texts, first },
    plan: plan(project, snapshot, resolved, planOptions),
    async planAgain() {
      const [now, found] = await Promise.all([engine.observe(stack.id), engine.resolve(names)])
      const rest = wrote ? { ...planOptions, files: [] } : planOptions
      return plan(project, now, found, { ...rest, fetched })
    },
  }
}

async function readyOther(order: Order, ports: OrderPorts): Promise<ReadyOrder> {
  const { stack, files, environment, options } = order
  const engine = await ports.engines.on(stack.hostId)
  const snapshot = await engine.observe(stack.id)
  // Hooks and the order of services need the project; a file that no longer loads must not keep people from stopping.
  const loaded = await loadFiles(stack, files, environment, ports).catch(() => null)
  const project = loaded?.project ?? null
  const made =
    order.kind === 'stop'
      ? planStop(snapshot, project)
      : order.kind === 'remove'
        ? planRemove(snapshot, project, {
            volumes: options.volumes,
            keptVolumes: stack.keptVolumes,
          })
        : planRestart(snapshot, project, { services: options.services })
  const first = { steps: [], warnings: [] }
  const again = { first, planAgain: async () => made }
  return { order, engine, snapshot, plan: made, texts: null, project, ...again }
}
