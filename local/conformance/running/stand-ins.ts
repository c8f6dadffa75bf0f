import { existsSync } from 'node:fs'
import { present } from '../../../adapters/testing/present.ts'
import { engineCall } from '../../setup/engine-api.mjs'
import { engineGet, engineWrite, type Json } from './engine.ts'
import { busybox, standInArchive } from './stand-in-files.ts'

/** Label of our images, so that one left behind by a killed run is not taken for the real image. */
const mark = 'container-stacks.stand-in'

/** True once a pull failed. No further pulls are tried. */
let registryAway = false

/**
 * Provides the images of a project. Returns why that is not possible, or undefined on success.
 * `undo` receives the removal of the stand-in images.
 */
export async function provideImages(
  model: Json,
  undo: (() => unknown)[],
): Promise<string | undefined> {
  const services: Json[] = Object.values(model.services ?? {})
  const missing = await missingImages(services)
  for (const name of missing) if (await pulled(name)) missing.delete(name)
  if (missing.size === 0) return undefined
  const names = [...missing]
  const digest = names.find((name) => name.includes('@'))
  if (digest) return `no registry answers with the image ${digest}`
  if (!existsSync(busybox)) {
    return `the image ${names[0]} cannot be pulled, and there is no busybox to replace it`
  }
  await standIn(names, model, undo)
  return undefined
}

async function missingImages(services: readonly Json[]): Promise<Set<string>> {
  const names = services.flatMap((service) => [
    ...(service.image && !service.build ? [service.image as string] : []),
    ...(service.pre_start ?? []).flatMap((hook: Json) => hook.image ?? []),
  ])
  const missing = new Set<string>()
  for (const name of new Set<string>(names)) {
    const image = await engineGet(`/images/${name}/json`)
    if (!image || image.Config?.Labels?.[mark]) missing.add(name)
  }
  return missing
}

async function pulled(name: string): Promise<boolean> {
  if (registryAway) return false
  const query = `fromImage=${encodeURIComponent(name)}${/[:@][^/]*$/.test(name) ? '' : '&tag=latest'}`
  const options = { timeout: 20_000 }
  const { status } = await engineCall('POST', `/images/create?${query}`, options).catch(() => ({
    status: 0,
  }))
  const there = status === 200 && (await engineGet(`/images/${name}/json`)) !== undefined
  registryAway = !there
  return there
}

async function standIn(names: string[], model: Json, undo: (() => unknown)[]) {
  const all: Json[] = Object.values(model.services)
  const waited = all.flatMap(({ depends_on = {} }) =>
    Object.entries<Json>(depends_on).flatMap(([name, { condition }]) =>
      condition === 'service_completed_successfully' ? [model.services[name]] : [],
    ),
  )
  const body = await standInArchive(
    all.filter(({ image }) => names.includes(image)),
    new Set(waited),
  )
  const changes = ['ENTRYPOINT ["/stand-in"]', `LABEL ${mark}=yes`]
    .map((line) => `&changes=${encodeURIComponent(line)}`)
    .join('')
  for (const name of names) {
    const [, repository, tag = 'latest'] = present(/^(.*?)(?::([^:/]+))?$/.exec(name))
    undo.push(() => engineWrite('DELETE', `/images/${name}?force=true`))
    const query = `fromSrc=-&repo=${encodeURIComponent(present(repository))}&tag=${tag}${changes}`
    const options = { body, timeout: 60_000 }
    const { status, text } = await engineCall('POST', `/images/create?${query}`, options)
    if (status !== 200) throw new Error(`a stand-in for ${name} cannot be made: ${text}`)
  }
}
