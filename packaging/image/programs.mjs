import { readFileSync } from 'node:fs'
import { serviceFiles } from '../contents/built-files.mjs'
import { file } from '../contents/entries.mjs'
import { bundledLicences } from '../contents/licences.mjs'
import { project, root } from '../contents/places.mjs'
import { runtimeModules } from '../contents/runtime-modules.mjs'
import { home } from './system-files.mjs'

const health = readFileSync(new URL('health.mjs', import.meta.url))

/**
 * Returns the programs of the image with the modules that they load.
 *
 * @param {import('../contents/architectures.mjs').Architecture} architecture
 * @param {string} [version]
 */
export const programFilesOf = (architecture, version = project.version) => [
  ...serviceFiles(home),
  ...runtimeModules(architecture, `${home}/node_modules`),
  file(`${home}/health.mjs`, health),
  file(
    `${home}/package.json`,
    JSON.stringify({ name: 'container-stacks', version, type: 'module' }),
  ),
  file('usr/share/doc/container-stacks/copyright', readFileSync(`${root}LICENSE`)),
  file('usr/share/doc/container-stacks/third-party-licences', bundledLicences()),
]
