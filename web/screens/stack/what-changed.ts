import type { Deployment } from '../../data/stack-operations.ts'
import { t } from '../../text/text.ts'
import { type Change, changesOf, countChanges, type PlannedChange } from './plan-changes.ts'

type Step = Deployment['steps'][number]
type Changed = PlannedChange<Step>

/**
 * Returns what a deployment has changed, or why it did not; no more than its target while it runs.
 *
 * @param target the revision that a rollback goes back to, if it is known
 */
export function resultWords(deployment: Deployment, target?: number): string {
  const words = target === undefined ? [] : [t.stack.backTo(target)]
  return [...words, endedWords(deployment)].filter(Boolean).join(' · ')
}

function endedWords(deployment: Deployment): string {
  const { error, status, steps, services } = deployment
  if (error !== null) return error
  if (status === 'running') return ''
  return steps.length === 0 && services.length > 0 ? services.join(', ') : whatChanged(deployment)
}

/** More image changes are counted. */
const imagesMax = 2

/**
 * Returns what a deployment changes, in words: "image nginx:1.27 → nginx:1.29 of web · 2 services
 * created". What has the most to say comes first.
 */
export function whatChanged({ stack, steps }: Pick<Deployment, 'stack' | 'steps'>): string {
  const changes = changesOf(steps)
  const containers = changes.filter(({ kind }) => kind === 'container')
  const [images, others] = imageChanges(containers, stack)
  const words = [...imageWords(images), ...countWords(others, stack)]
  if (words.length > 0) return words.join(' · ')
  const fetched = changes.filter(({ change }) => change === 'fetch')
  if (fetched.length > 0) return t.stack.imagesFetched(fetched.map(({ name }) => name))
  return t.stack.changeCount(changes.length)
}

/** Returns the changed images, once for each service, and the other changes. */
function imageChanges(
  containers: readonly Changed[],
  stack: string,
): [ReadonlyMap<string, string>, readonly Changed[]] {
  const words = new Map<string, string>()
  const others: Changed[] = []
  for (const one of containers) {
    const text = imageText(one, serviceIn(one.name, stack))
    if (text === undefined) others.push(one)
    else words.set(serviceIn(one.name, stack), text)
  }
  return [words, others]
}

function imageText({ steps, reason }: Changed, service: string): string | undefined {
  const image = steps.find((step) => step.image)?.image
  if (image) return t.stack.imageChanged(image.before, image.after, service)
  return reason === 'image changed' ? t.stack.newImage(service) : undefined
}

function imageWords(images: ReadonlyMap<string, string>): string[] {
  const words = [...images.values()]
  const more = words.length - imagesMax
  return more > 0 ? [...words.slice(0, imagesMax), t.stack.moreImages(more)] : words
}

function countWords(changes: readonly Changed[], stack: string): string[] {
  return countChanges(changes).map(([change]) => {
    const same = changes.filter((one) => one.change === change)
    const services = [...new Set(same.map(({ name }) => serviceIn(name, stack)))]
    const fields = new Set(same.flatMap((one) => one.fields))
    const words = t.stack.servicesChanged[change as CountedChange](services)
    return services.length === 1 && fields.size > 0 ? `${words} (${[...fields].join(', ')})` : words
  })
}

type CountedChange = Exclude<Change, 'fetch' | 'write' | 'other'>

/** Returns the service of a container by its usual name, or the name of the container. */
export function serviceIn(container: string, stack: string): string {
  const before = `${stack}-`
  const [, service] = /^(.+)-\d+$/.exec(container.slice(before.length)) ?? []
  return container.startsWith(before) && service !== undefined ? service : container
}
