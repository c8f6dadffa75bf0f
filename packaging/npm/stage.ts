import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { external } from '../contents/runtime-modules.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))

const Manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  files: z.array(z.string()),
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
})

/** The scripts of an installed package, which is built already. */
const kept = ['start', 'restore', 'store', 'reset-password']
const onlyForBuilding = 'node local/ensure-built.mjs && '

/**
 * Fills a folder with the npm package: the files that package.json lists, and a package.json that
 * depends only on what the bundles do not contain.
 */
export function stagePackage(folder: string): void {
  const manifest = readManifest()
  const scripts = Object.fromEntries(
    kept.map((name) => [name, (manifest.scripts[name] ?? '').replace(onlyForBuilding, '')]),
  )
  const { private: _private, workspaces: _workspaces, devDependencies: _dev, ...rest } = manifest
  const dependencies = Object.fromEntries(
    external.map((name) => [name, manifest.dependencies[name]]),
  )
  const text = JSON.stringify({ ...rest, scripts, dependencies }, null, 2)
  for (const path of ['README.md', 'CHANGELOG.md', 'LICENSE', 'dist']) copy(path, folder)
  writeFileSync(join(folder, 'package.json'), `${text}\n`)
}

export const readManifest = () =>
  Manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

function copy(path: string, folder: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  cpSync(join(root, path), join(folder, path), { recursive: true })
}
