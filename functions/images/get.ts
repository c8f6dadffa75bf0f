import { notFound } from '../core/errors.ts'
import { targetEngine } from '../core/hosts/target.ts'
import { findImage } from '../core/images/find-image.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostQuery } from '../kit/params.ts'
import { Image, ImagePath } from './schema.ts'
import { imageView } from './view.ts'

export default endpoint({
  summary: 'Show an image',
  access: 'images:read',
  atService: true,
  path: ImagePath,
  query: HostQuery,
  encodedSlashes: true,
  returns: Image,
  errors: {
    400: 'Several images begin with that id',
    404: 'No image or host has that id',
  },

  async run({ path: { id }, query, caller }, ports: Needs<'hosts' | 'engines'>) {
    const { engine, hostFields } = await targetEngine(query.host, caller, ports)
    const image = findImage(id, await engine.images())
    if (!image) throw notFound(`there is no image ${id} on ${hostFields.host_name}`)
    return imageView(image, hostFields)
  },
})
