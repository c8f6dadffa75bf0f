import { plan } from '../compose/plan.ts'
import { planRestart } from '../compose/plan-restart.ts'
import { planRemove, planStop } from '../compose/plan-stop.ts'
import type { Project } from '../compose/project.ts'
import type { Step } from '../compose/step.ts'
import { wanted } from '../compose/wanted.ts'
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
  steps: Step[]
  /** The texts, for the files step; nothing when the order writes none. */
  texts: StackTexts | null
  project: Project | null
  warnings: string[]
}

type OrderPorts = Needs<'texts' | 'composer' | 'engines'>

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
  const resolved = await engine.resolve(wanted(loaded.project, stack.keptVolumes))
  const stale = JSON.stringify(stack.written) !== JSON.stringify(files)
  const { steps, warnings } = plan(loaded.project, snapshot, resolved, {
    apiVersion: info.apiVersion,
    pull: options.pull,
    forceRecreate: options.forceRecreate,
    removeOrphans: options.removeOrphans,
    files: stale ? hostFiles(loaded.texts) : [],
    keptVolumes: stack.keptVolumes,
  })
  return { ...loaded, order, engine, snapshot, steps, warnings: [...loaded.warnings, ...warnings] }
}

async function readyOther(order: Order, ports: OrderPorts): Promise<ReadyOrder> {
  const { stack, files, environment, options } = order
  const engine = await ports.engines.on(stack.hostId)
  const snapshot = await engine.observe(stack.id)
  // Hooks and the order of services need the project; a file that no longer loads must not keep people from stopping.
  const loaded = await loadFiles(stack, files, environment, ports).catch(() => null)
  const project = loaded?.project ?? null
  const { steps, warnings } =
    order.kind === 'stop'
      ? planStop(snapshot, project)
      : order.kind === 'remove'
        ? planRemove(snapshot, project, {
            volumes: options.volumes,
            keptVolumes: stack.keptVolumes,
          })
        : planRestart(snapshot, project, { services: options.services })
  return { order, engine, snapshot, steps, texts: null, project, warnings }
}
