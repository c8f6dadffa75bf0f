// Assembles the image of the service, the agent and the client without a registry and without an
// Engine: Debian's libraries, Node.js, the build and the modules that it loads. Writes an archive
// for each architecture, for `docker load`.
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from '../contents/built-files.mjs'
import { nodeFiles } from '../contents/node-program.mjs'
import { readOptions } from '../contents/options.mjs'
import { project, root, run } from '../contents/places.mjs'
import { configuration } from './configuration.mjs'
import { debianFiles } from './debian-files.mjs'
import { imageArchive } from './oci-archive.mjs'
import { programFilesOf } from './programs.mjs'
import { systemFiles } from './system-files.mjs'

const name = 'container-stacks'
const begin = Date.now()

/** Says on standard error what is done next. The archives are on standard output. */
const say = (/** @type {string} */ text) =>
  console.error(`${Math.round((Date.now() - begin) / 1000)} s: ${text}`)

/** @param {import('../contents/options.mjs').Options} options */
async function buildImages({ out, architectures, fast, epoch, version = project.version }) {
  say('building the service, unless it is newer than its sources; takes a minute or two')
  ensureBuilt()
  // A build under another version is a trial, which must not take the name of the release.
  const tags = version === project.version ? [version, 'latest'] : [version]
  for (const name of ['compose.yaml', 'compose.dynamodb.yaml']) {
    copyFileSync(join(root, name), join(out, name))
    console.log(join(out, name))
  }
  for (const architecture of architectures) {
    say(`${architecture}: packages of Debian, downloaded once a day`)
    const base = [...(await debianFiles(architecture)), ...systemFiles()]
    const paths = { program: 'usr/bin/node', licence: 'usr/share/doc/nodejs/copyright' }
    say(`${architecture}: Node.js, downloaded once`)
    const node = nodeFiles(architecture, paths)
    const programs = programFilesOf(architecture, version)
    say(`${architecture}: compressing the layers; takes up to a minute`)
    const archive = await imageArchive({
      // Each layer changes less often than the one after it, so that an upgrade transfers little.
      layers: [base, node, programs],
      config: configuration({ version, created: new Date(epoch * 1000).toISOString() }),
      architecture,
      name,
      tags,
      epoch,
      fast,
    })
    const target = join(out, `${name}_${version}_image_${architecture}.tar`)
    writeFileSync(target, archive)
    console.log(`${target} (${Math.round(archive.length / 1e6)} MB)`)
  }
}

await run(() => buildImages(readOptions()))
