import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Json } from './engine.ts'

/**
 * Creates missing files that a project expects on its host: files of secrets and configs, and the
 * directories of binds that are not created on their own. Creates nothing outside the directory.
 */
export function provideFiles(model: Json, directory: string): void {
  const absent = (path: unknown): path is string =>
    typeof path === 'string' && path.startsWith(`${directory}/`) && !existsSync(path)
  for (const kind of ['secrets', 'configs']) {
    for (const { file } of Object.values<Json>(model[kind] ?? {})) {
      if (!absent(file)) continue
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, 'made up for a comparison\n')
    }
  }
  for (const { volumes = [] } of Object.values<Json>(model.services ?? {})) {
    for (const { type, source, bind } of volumes) {
      if (type !== 'bind' || (bind?.create_host_path && !bind.propagation)) continue
      if (absent(source)) {
        mkdirSync(source, { recursive: true })
      }
    }
  }
}
