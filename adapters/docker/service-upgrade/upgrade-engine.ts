import type Docker from 'dockerode'
import { conflict } from '../../../functions/core/errors.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import type {
  RestartPolicy,
  UpgradeJournal,
} from '../../../functions/core/records/upgrade-journal.ts'
import type {
  SeenContainer,
  SeenUpgrade,
  UpgradeStep,
} from '../../../functions/core/upgrade/next-step.ts'
import { startContainer, stopContainer } from '../containers/actions.ts'
import { removeContainer } from '../containers/removal.ts'
import { commandOutput } from '../exec/exec.ts'
import { inspectContainer, listContainers, planReadDeadline } from '../inspect/container.ts'
import { inspectImage } from '../inspect/image.ts'
import { checkedId, checkedName } from '../names/ids.ts'
import { unlessMissing } from '../responses/errors.ts'
import { containerList, createdContainer } from '../responses/response-shapes.ts'
import { parsedAs } from '../responses/shapes.ts'
import { readLogs } from '../streams/logs.ts'
import { atLeast, type EngineClient } from '../transport/client.ts'
import {
  type CopiedContainer,
  type EngineConfig,
  newContainer,
  upgradeLabel,
} from './new-container.ts'

/** The containers of an upgrade, and the IDs of the two. */
export interface ObservedUpgrade extends SeenUpgrade {
  oldId: string
  newId: string | undefined
}

/** What the helper of an upgrade does with the Engine. Steps are carried out again without harm. */
export interface UpgradeEngine {
  observe(journal: UpgradeJournal): Promise<ObservedUpgrade>
  /** Carries out a step that changes containers. */
  execute(step: UpgradeStep, journal: UpgradeJournal, seen: ObservedUpgrade): Promise<void>
  /** Returns whether the health check of the image succeeds in a container. */
  isHealthy(id: string): Promise<boolean>
  /** Returns the end of the log of a container. */
  lastLines(id: string): Promise<string[]>
  /** Lets the Engine start a container no more. */
  hold(id: string): Promise<void>
}

/** Seconds for a service to end; a running deployment may take 25 of them. */
const stopTime = 30

/** Returns the upgrades on an Engine. */
export const upgradeEngine = (client: EngineClient): UpgradeEngine => ({
  observe: (journal) => observe(client, journal),
  execute: (step, journal, seen) => execute(client, step, journal, seen),
  async isHealthy(id) {
    // The check itself ends after 20 s.
    const signal = AbortSignal.timeout(25_000)
    const body = { Cmd: ['node', '/opt/container-stacks/health.mjs'] }
    const result = await commandOutput(client, id, body, signal).catch(
      ignoreError('check the health of a version'),
    )
    return result?.exitCode === 0
  },
  async lastLines(id) {
    // Some log drivers cannot be read.
    const lines = await readLogs(client, id, { tail: 50 }).catch(
      ignoreError('read the log of a version'),
    )
    return (lines ?? []).map(({ line }) => line.slice(0, 500))
  },
  hold: (id) => setRestartPolicy(client, id, { Name: 'no', MaximumRetryCount: 0 }),
})

async function observe(client: EngineClient, journal: UpgradeJournal): Promise<ObservedUpgrade> {
  const { containerId, name } = journal.from
  const [old, next, named] = await Promise.all([
    inspected(client, containerId),
    findNew(client, journal),
    inspected(client, name),
  ])
  return {
    oldId: containerId,
    newId: next?.Id,
    old: old && seenContainer(old),
    new: next && { ...seenContainer(next), problem: problemOf(next) },
    isNameTaken: named?.Name === `/${name}` && named.Id !== containerId && named.Id !== next?.Id,
  }
}

const inspected = (client: EngineClient, id: string) =>
  unlessMissing(inspectContainer(client, id, { deadline: planReadDeadline }))

/** An image can have the label, but not the one that is to run: its ID stands for its content. */
async function findNew(client: EngineClient, { id, to }: UpgradeJournal) {
  const text = await listContainers(client, { label: [`${upgradeLabel}=${id}`] })
  const found = parsedAs<Docker.ContainerInfo[]>(text, containerList)
  const made = found.find(({ ImageID }) => ImageID === to.imageId)
  return made && inspected(client, made.Id)
}

function seenContainer({ Name, State, HostConfig }: Docker.ContainerInspectInfo): SeenContainer {
  return {
    name: Name.replace(/^\//, ''),
    isRunning: State.Running,
    restartPolicy: HostConfig.RestartPolicy?.Name || 'no',
  }
}

function problemOf({ State }: Docker.ContainerInspectInfo): string | undefined {
  if (State.Running || State.StartedAt.startsWith('0001-')) return undefined
  if (State.OOMKilled) return 'it ran out of memory'
  return State.Error || `exit code ${State.ExitCode}`
}

async function execute(
  client: EngineClient,
  step: UpgradeStep,
  journal: UpgradeJournal,
  { oldId, newId }: ObservedUpgrade,
): Promise<void> {
  const held = { Name: 'no', MaximumRetryCount: 0 }
  const id = step.kind.endsWith('_new') ? (newId ?? '') : oldId
  switch (step.kind) {
    case 'rename_old':
    case 'restore_name':
      return renameContainer(client, oldId, step.name)
    case 'hold_old':
      return setRestartPolicy(client, oldId, held)
    case 'release_old':
    case 'release_new':
      return setRestartPolicy(client, id, journal.from.restartPolicy)
    case 'stop_old':
    case 'stop_new':
      return stopContainer(client, id, { timeoutSeconds: stopTime })
    case 'create_new':
      return create(client, journal)
    case 'start_new':
      await joinNetworks(client, journal, id)
      return startContainer(client, id)
    case 'start_old':
      return startContainer(client, id)
    case 'remove_new':
      // Its volumes are those of the old one.
      await removeContainer(client, id, { force: true, volumes: false })
  }
}

/** Renames a container. */
export async function renameContainer(
  client: EngineClient,
  id: string,
  name: string,
): Promise<void> {
  await client.json({
    method: 'POST',
    path: `/containers/${checkedId('container', id)}/rename`,
    query: { name: checkedName('container', name) },
  })
}

/** Changes when the Engine starts a container again. */
export async function setRestartPolicy(client: EngineClient, id: string, policy: RestartPolicy) {
  await client.json({
    method: 'POST',
    path: `/containers/${checkedId('container', id)}/update`,
    body: { RestartPolicy: policy },
    deadline: 30_000,
  })
}

/** @throws 409 if the name of the image now leads to another one */
async function create(client: EngineClient, journal: UpgradeJournal): Promise<void> {
  const { from, to } = journal
  const image = await inspectImage(client, to.image)
  if (image?.Id !== to.imageId) {
    throw conflict(`image ${to.image} is no longer the one that was checked`)
  }
  const { body, networks } = await likeOld(client, journal)
  const [main] = Object.entries(networks)
  const joinsAll = atLeast(await client.apiVersion(), '1.44')
  const joined = joinsAll || !main ? networks : Object.fromEntries([main])
  await client.json({
    method: 'POST',
    path: '/containers/create',
    query: { name: checkedName('container', from.name) },
    body: { ...body, NetworkingConfig: { EndpointsConfig: joined } },
    deadline: 60_000,
    shape: createdContainer,
  })
}

async function likeOld(client: EngineClient, { id, from, to }: UpgradeJournal) {
  const old = (await inspectContainer(client, from.containerId)) as unknown as CopiedContainer
  const image = await inspectImage(client, from.imageId)
  return newContainer(old, (image?.Config ?? {}) as unknown as EngineConfig, to, id)
}

async function joinNetworks(client: EngineClient, journal: UpgradeJournal, id: string) {
  const { networks } = await likeOld(client, journal)
  const { NetworkSettings } = await inspectContainer(client, id)
  for (const [name, endpoint] of Object.entries(networks)) {
    if (Object.hasOwn(NetworkSettings.Networks, name)) continue
    await client.json({
      method: 'POST',
      path: `/networks/${checkedId('network', name)}/connect`,
      body: { Container: id, EndpointConfig: endpoint },
      deadline: 30_000,
    })
  }
}
