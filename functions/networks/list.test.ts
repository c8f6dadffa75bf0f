import { test } from 'vitest'
import { expectLocal, expectUnknownHost, expectUnreachable } from '../../local/harness/host-list.ts'
import list from './list.ts'

test('200: those of the local host', () => expectLocal(list, 'shop_default'))
test('200: host=all names the hosts that do not answer', () => expectUnreachable(list))
test('404: an unknown host', () => expectUnknownHost(list))
