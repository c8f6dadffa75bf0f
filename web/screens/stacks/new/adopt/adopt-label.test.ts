import { expect, test } from 'vitest'
import { asHostName } from '../../../../host-ids.ts'
import { en } from '../../../../text/en.ts'
import { setTexts } from '../../../../text/text.ts'
import { adoptLabel } from './adopt-label.ts'

setTexts(en)

const project = (name: string, host: string) => ({ name, host_name: asHostName(host) })

test('projects of one name on several hosts have buttons that differ', () => {
  const all = [project('web', 'nas'), project('web', 'pi'), project('db', 'nas')]
  expect(all.map((one) => adoptLabel(one, all))).toEqual([
    'Adopt web on nas',
    'Adopt web on pi',
    'Adopt db',
  ])
})
