import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { TextReply } from '../kit/reply.ts'
import { estateForms } from './estate-forms.ts'
import { estateText } from './estate-text.ts'
import { type ReadPorts, readRecords } from './read-records.ts'
import { EstateName } from './schema.ts'

const yaml = 'application/yaml'

export default endpoint({
  summary: 'Export the estate',
  description:
    'Returns one YAML document with the registries, roles, channels, sources, stacks, backup jobs, update policies and alert rules that you may read, in the form of `Estate`. ' +
    'In place of each secret it has the name that the secret is looked up under when the file is used. Comments at its beginning list these names, and what was left out, with the reason. The same estate has the same text.',
  access: 'signed-in',
  query: z.object({ name: EstateName.default('estate') }),
  produces: yaml,

  async run({ query, caller }, ports: ReadPorts & Needs<'stackJobs'>) {
    const forms = await estateForms(await readRecords(caller, ports), ports)
    return new TextReply(estateText(query.name, forms), `${yaml}; charset=utf-8`)
  },
})
