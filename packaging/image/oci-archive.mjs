import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { complete, file } from '../contents/entries.mjs'
import { tarOf } from '../contents/tar.mjs'

/** @typedef {import('../contents/entries.mjs').Entry} Entry */

/** @param {Buffer} content */
const digestOf = (content) => createHash('sha256').update(content).digest('hex')

/** @param {object} value */
const json = (value) => Buffer.from(JSON.stringify(value))

/**
 * Returns the archive of an image that `docker load` reads, and tools for OCI layouts as well: both
 * formats name the same files.
 *
 * @param {object} image
 * @param {readonly Entry[][]} image.layers
 * @param {string} image.architecture
 * @param {object} image.config
 * @param {string} image.name such as `container-stacks`
 * @param {string[]} image.tags
 * @param {number} image.epoch seconds since 1970
 * @param {boolean} image.fast compress little
 * @returns {Promise<Buffer>}
 */
export async function imageArchive({ layers, architecture, config, name, tags, epoch, fast }) {
  const created = new Date(epoch * 1000).toISOString()
  const packed = []
  for (const entries of layers) {
    const tar = await tarOf(complete(entries), epoch)
    const content = gzipSync(tar, { level: fast ? 0 : 9 })
    packed.push({ diff: `sha256:${digestOf(tar)}`, content })
  }
  const rootfs = { type: 'layers', diff_ids: packed.map(({ diff }) => diff) }
  const history = packed.map(() => ({ created, created_by: 'packaging/image/build.mjs' }))
  const image = json({ created, architecture, os: 'linux', config, rootfs, history })
  const oci = 'application/vnd.oci.image'
  const manifest = json({
    schemaVersion: 2,
    mediaType: `${oci}.manifest.v1+json`,
    config: { mediaType: `${oci}.config.v1+json`, ...descriptor(image) },
    layers: packed.map(({ content }) => ({
      mediaType: `${oci}.layer.v1.tar+gzip`,
      ...descriptor(content),
    })),
  })
  const platform = { architecture, os: 'linux' }
  const index = tags.map((tag) => ({
    mediaType: `${oci}.manifest.v1+json`,
    ...descriptor(manifest),
    platform,
    // Docker's full form of a name without a registry, which it expects here.
    annotations: {
      'io.containerd.image.name': `docker.io/library/${name}:${tag}`,
      'org.opencontainers.image.ref.name': tag,
    },
  }))
  const docker = {
    Config: pathOf(image),
    RepoTags: tags.map((tag) => `${name}:${tag}`),
    Layers: packed.map(({ content }) => pathOf(content)),
  }
  const blobs = [image, manifest, ...packed.map(({ content }) => content)]
  const files = [
    ...blobs.map((content) => file(pathOf(content), content)),
    file(
      'index.json',
      json({ schemaVersion: 2, mediaType: `${oci}.index.v1+json`, manifests: index }),
    ),
    file('manifest.json', json([docker])),
    file('oci-layout', json({ imageLayoutVersion: '1.0.0' })),
  ]
  return tarOf(complete(files), epoch)
}

/** @param {Buffer} content */
const pathOf = (content) => `blobs/sha256/${digestOf(content)}`

/** @param {Buffer} content */
const descriptor = (content) => ({ digest: `sha256:${digestOf(content)}`, size: content.length })
