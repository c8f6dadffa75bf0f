import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { present } from '../../adapters/testing/present.ts'
import { compareNearest } from './compare-model.ts'
import { readExpectations, writeExpectation } from './expectation.ts'
import { type Answer, askOracle } from './oracle.ts'
import { ourModel } from './our-model.ts'
import { isProject } from './project-files.ts'
import { compareFolder, compareRunning } from './running.ts'

/** A directory with a compose project. */
export interface ProjectDirectory {
  name: string
  /** Absolute path. */
  directory: string
}

/** The result of comparing one project. */
export interface Verdict {
  project: string
  result: 'same' | 'refused by both' | 'differs'
  /** The model that ours was compared with. */
  against: 'expected' | 'docker compose'
  services: number
  differences: string[]
  /** The result of bringing it up, if that was requested. */
  running?: 'same' | 'differs' | 'neither comes up' | 'not compared'
  /** A remark about bringing it up, besides the differences. */
  note?: string
}

/**
 * Compares our resolved model of each project below a directory with that of docker compose, or
 * with the project's own expectation. Prints a table, the differences and the totals. Returns the
 * exit code.
 *
 * @param write saves docker compose's answers as expectations of the projects that have none
 * @param running also brings up the projects whose models agree, with both tools; ours deploys
 *   the directory itself, or a stack that the client creates from it
 */
export async function compareProjects(
  parent: string,
  { write = false, running }: { write?: boolean; running?: 'directory' | 'stack' } = {},
): Promise<number> {
  if (!existsSync(parent) || !statSync(parent).isDirectory())
    return failWith(`no directory ${parent}`)
  const projects = projectsIn(parent)
  if (projects.length === 0) return failWith(`no compose project below ${parent}`)
  const verdicts: Verdict[] = []
  for (const project of projects) {
    const verdict = compareModel(project, write)
    verdicts.push(running ? await withRunning(project, verdict, running) : verdict)
  }
  for (const line of table(verdicts, running !== undefined)) console.log(line)
  for (const { project, note } of verdicts) if (note) console.log(`${project}: ${note}`)
  const failed = verdicts.filter(({ differences }) => differences.length > 0)
  for (const { project, differences } of failed) {
    console.log(`\n${project}: ours / theirs`)
    for (const difference of differences) console.log(`  ${difference}`)
  }
  console.log(`${verdicts.length - failed.length} passed, ${failed.length} failed`)
  return failed.length > 0 ? 1 : 0
}

/** Returns the projects in the subdirectories of a directory, sorted by name. */
export function projectsIn(parent: string): ProjectDirectory[] {
  return readdirSync(parent)
    .sort()
    .map((name) => ({ name, directory: join(resolve(parent), name) }))
    .filter(({ directory }) => existsSync(directory) && statSync(directory).isDirectory())
    .filter(({ directory }) => isProject(directory))
}

/** Compares the model of one project. */
export function compareModel({ name, directory }: ProjectDirectory, write = false): Verdict {
  const expected = readExpectations(directory)
  const against = expected.length > 0 ? 'expected' : 'docker compose'
  const theirs = expected.length > 0 ? expected : [answerOf(directory)]
  if (write && expected.length === 0) writeExpectation(directory, present(theirs[0]))
  const ours = ourModel(directory)
  const differences = compareNearest(ours, theirs)
  const same = 'rejected' in ours ? 'refused by both' : 'same'
  const result = differences.length > 0 ? 'differs' : same
  return { project: name, result, against, services: servicesOf(ours), differences }
}

/** Adds the result of bringing it up if the models agree. */
async function withRunning(
  project: ProjectDirectory,
  verdict: Verdict,
  running: 'directory' | 'stack',
): Promise<Verdict> {
  if (verdict.result !== 'same') return verdict
  console.error(`bringing up ${project.name}`)
  const compare = running === 'stack' ? compareFolder : compareRunning
  const result = await compare(project).catch((error: Error) => ({
    differences: [`the comparison failed: ${error.message}`],
    note: undefined,
  }))
  if ('skipped' in result) {
    return { ...verdict, running: 'not compared', note: `not brought up: ${result.skipped}` }
  }
  const { differences, note } = result
  const same = note === undefined ? 'same' : 'neither comes up'
  return { ...verdict, differences, note, running: differences.length > 0 ? 'differs' : same }
}

function answerOf(directory: string): Answer {
  const answer = askOracle(directory)
  if (answer) return answer
  throw new Error(
    `${directory} has neither expected.json nor expected.error, and docker compose is not installed`,
  )
}

const servicesOf = (answer: Answer): number =>
  'rejected' in answer ? 0 : Object.keys((answer.model as { services: object }).services).length

function table(verdicts: Verdict[], running: boolean): string[] {
  const rows = [
    ['project', 'services', 'against', 'result', ...(running ? ['running'] : [])],
    ...verdicts.map((one) => [
      ...[one.project, String(one.services), one.against, one.result],
      ...(running ? [one.running ?? '-'] : []),
    ]),
  ]
  const widths = present(rows[0]).map((_, column) =>
    Math.max(...rows.map((row) => present(row[column]).length)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(present(widths[column])))
      .join('  ')
      .trimEnd(),
  )
}

function failWith(reason: string): number {
  console.error(reason)
  return 2
}
