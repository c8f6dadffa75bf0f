import { join } from 'node:path'
import { ensureCompose } from '../setup/compose.mjs'
import { engineResponds } from '../setup/engine-api.mjs'
import { readProject } from './project-files.ts'
import { removerOfBuilt } from './running/built.ts'
import { compareInspected, compareMade } from './running/compare.ts'
import { type Json, removeProject } from './running/engine.ts'
import { provideExternals } from './running/externals.ts'
import { provideFiles } from './running/files.ts'
import { folderSide } from './running/folder-up.ts'
import { type Inspected, settled } from './running/inspect.ts'
import { obstacle } from './running/obstacles.ts'
import { ourSide } from './running/our-up.ts'
import { copyFolder, copyProject, type Place, reachesOut } from './running/place.ts'
import { provideImages } from './running/stand-ins.ts'
import { type CommandResult, dockerCompose, theirModel } from './running/their-up.ts'

/**
 * The result of bringing a project up: every difference as `ours / theirs`, or why it was skipped.
 */
export type RunningResult = { differences: string[]; note?: string } | { skipped: string }

/**
 * Brings a copy of a project up with docker compose and, after `down -v`, with our own deploy in
 * the same directory. Compares everything that the Engine shows of its containers, networks and
 * volumes. While docker compose's containers run, our plan must find nothing to recreate.
 * Everything is removed afterwards, also after a failure or an interrupt.
 */
export const compareRunning = (project: ComparedProject): Promise<RunningResult> =>
  withProject(copyProject(project.directory), compareUp)

/**
 * Like `compareRunning`, but docker compose's copy is deleted, and our deploy is that of a stack
 * that the client has created from another copy.
 */
export async function compareFolder({ directory }: ComparedProject): Promise<RunningResult> {
  if (!ensureCompose(() => {})) return { skipped: noCompose }
  if (reachesOut(directory)) return { skipped: 'it refers to files beside its directory' }
  const { composeFiles } = readProject(directory).input
  if (composeFiles.length > 1)
    return { skipped: `a stack has one compose file, this has ${composeFiles.join(', ')}` }
  const model = await theirModel(directory)
  if (typeof model === 'string') return { skipped: `docker compose refuses it: ${model}` }
  return withProject(copyFolder(directory, model.name), compareFolderUp)
}

interface ComparedProject {
  name: string
  directory: string
}

type Compare = (model: Json, place: Place, removeAll: () => Promise<void>) => Promise<RunningResult>

const noCompose = 'there is no docker compose to compare with'

async function withProject(place: Place, compare: Compare): Promise<RunningResult> {
  const undo: (() => unknown)[] = [place.remove]
  const tidy = async () => {
    for (const work of undo.splice(0).reverse()) await work()
  }
  const interrupted = () => void tidy().finally(() => process.exit(130))
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted)
  try {
    if (!(await engineResponds())) return { skipped: 'no Docker Engine answers' }
    if (!ensureCompose(() => {})) return { skipped: noCompose }
    const model = await theirModel(place.directory)
    if (typeof model === 'string') return { skipped: `docker compose refuses it: ${model}` }
    const reason = (await obstacle(model)) ?? (await provideImages(model, undo))
    if (reason !== undefined) return { skipped: reason }
    await provideExternals(model, undo)
    const removeBuilt = await removerOfBuilt(model)
    const removeAll = () => removeProject(model.name).then(removeBuilt)
    undo.push(removeAll)
    return await compare(model, place, removeAll)
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await tidy()
  }
}

async function compareUp(
  model: Json,
  place: Place,
  removeAll: () => Promise<void>,
): Promise<RunningResult> {
  provideFiles(model, place.directory)
  const theirs = await theirUp(place.directory)
  const theirThings = await settled(model.name)
  const again = theirs.code === 0 ? await planned(model.name, place.directory) : []
  await dockerCompose(place.directory, 'down', '-v', '-t', '0')
  await removeAll()
  place.renew()
  provideFiles(model, place.directory)
  const us = await ourSide(model.name, place.directory)
  try {
    const failed = await us.deploy()
    if (failed || theirs.code !== 0) return await failure(model, failed, theirs, theirThings)
    return { differences: [...again, ...(await compareInspected(model, theirThings))] }
  } finally {
    await us.close()
  }
}

async function compareFolderUp(
  model: Json,
  place: Place,
  removeAll: () => Promise<void>,
): Promise<RunningResult> {
  provideFiles(model, place.directory)
  const theirs = await theirUp(place.directory)
  const theirThings = asInStack(await settled(model.name), place.directory)
  await dockerCompose(place.directory, 'down', '-v', '-t', '0')
  await removeAll()
  place.renew()
  provideFiles(model, place.directory)
  const us = await folderSide(model.name, place.directory)
  try {
    const failed = await us.deploy()
    if (failed || theirs.code !== 0) return await failure(model, failed, theirs, theirThings)
    return { differences: await compareInspected(model, theirThings) }
  } finally {
    await us.close()
  }
}

/** The compose file of a stack is compose.yaml, whatever its name was in the directory. */
function asInStack(things: Inspected, directory: string): Inspected {
  for (const { Config } of Object.values(things.containers)) {
    Config.Labels['com.docker.compose.project.config_files'] = join(directory, 'compose.yaml')
  }
  return things
}

/**
 * Runs `docker compose up`. Retries once, because the Engine may assign a requested address to
 * another container that asked for none.
 */
async function theirUp(directory: string): Promise<CommandResult> {
  const up = () => dockerCompose(directory, 'up', '-d', '--quiet-pull')
  const first = await up()
  return /Address already in use/.test(first.error) ? up() : first
}

/**
 * Judges a failure of one or both. A feature that only one of them supports on this Engine is no
 * difference.
 */
async function failure(
  model: Json,
  ours: { status: number; error: string } | undefined,
  theirs: CommandResult,
  theirThings: Inspected,
): Promise<RunningResult> {
  const errors = [ours?.error ?? '', theirs.error]
  if (errors.some((text) => /Address already in use/.test(text))) {
    return { skipped: 'the Engine assigned a requested address to another container' }
  }
  if (ours && theirs.code !== 0) {
    const note = `neither comes up: ${ours.error} / ${theirs.error}`
    return { differences: await compareMade(model, theirThings), note }
  }
  if (/needs an Engine with API|not supported/.test(ours?.error ?? '')) {
    return { skipped: `the service rejects it by name, docker compose drops it: ${ours?.error}` }
  }
  if (ours) return { differences: [`deploy: ${ours.error} / up succeeds`] }
  if (/requires API version/.test(theirs.error)) {
    return { skipped: `docker compose cannot do it on this Engine: ${theirs.error}` }
  }
  if (/no service selected/.test(theirs.error)) {
    return { skipped: 'it has no service, and docker compose refuses to bring up nothing' }
  }
  return { differences: [`deploy succeeds / up: ${theirs.error}`] }
}

/**
 * Returns the steps that our deploy would take over docker compose's containers. There should be
 * none.
 */
async function planned(name: string, directory: string): Promise<string[]> {
  const us = await ourSide(name, directory)
  try {
    const steps = await us.plan()
    return steps
      .filter((step) => !/^(start|wait|pull|build|exec) /.test(step))
      .map((step) => `over docker compose’s containers: ${step} / nothing to do`)
  } finally {
    await us.close()
  }
}
