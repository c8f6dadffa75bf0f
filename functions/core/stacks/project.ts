import { isJob } from '../compose/plan/job.ts'
import { imageOf, scaleOf } from '../compose/plan/wanted.ts'
import type { LoadedProject, Project } from '../compose/project.ts'
import type { Needs } from '../ports.ts'
import type { ServiceExpectation, StackFiles, StackRecord } from './stack.ts'
import { composeInput, readTexts, type StackTexts } from './texts.ts'

type Place = Pick<StackRecord, 'id' | 'directory'>

/** Loads a stack's project from its texts. Throws a `Failure` 422 that says file, line and column, or path. */
export function loadTexts(
  stack: Place,
  texts: StackTexts,
  environment: string | null,
  { composer }: Needs<'composer'>,
): Promise<LoadedProject> {
  return composer.load(composeInput(stack, texts, environment))
}

/** A project with the texts it was loaded from. */
export interface LoadedFiles extends LoadedProject {
  texts: StackTexts
}

/** Loads a stack's project from the texts behind its digests. */
export async function loadFiles(
  stack: Place,
  files: StackFiles,
  environment: string | null,
  ports: Needs<'texts' | 'composer'>,
): Promise<LoadedFiles> {
  const texts = await readTexts(files, ports)
  return { ...(await loadTexts(stack, texts, environment, ports)), texts }
}

/** Checks that the stack loads without an overlay and with each of them, and gives the project without. */
export async function checkTexts(
  stack: Place,
  texts: StackTexts,
  ports: Needs<'composer'>,
): Promise<LoadedProject> {
  const plain = await loadTexts(stack, texts, null, ports)
  for (const environment of Object.keys(texts.overlays)) {
    await loadTexts(stack, texts, environment, ports)
  }
  return plain
}

/** What each service is expected to be, for a status without loading the project again. */
export function expectations(project: Project): Record<string, ServiceExpectation> {
  const entries = Object.entries(project.services).map(([name, service]) => {
    const expected = {
      containers: scaleOf(service),
      job: isJob(project, name),
      image: imageOf(project, name),
    }
    return [name, expected] as const
  })
  return Object.fromEntries(entries)
}
