import { expect, test } from 'vitest'
import { differences } from './same-answers.ts'

test.each([
  ['the same', { records: [{ a: 1 }], total: 1 }, { records: [{ a: 1 }], total: 1 }, []],
  ['more of ours', { a: 1 }, { a: 1, can: ['edit'] }, []],
  ['another value', { records: [{ a: 1 }] }, { records: [{ a: '1' }] }, ['.records[0].a: 1, ours "1"']],
  ['a field we lack', { a: null }, {}, ['.a: null, ours undefined']],
  ['another number of rows', { records: [1, 2] }, { records: [1] }, ['.records: 2 rows, ours 1']],
  ['no rows at all', { records: [] }, { records: null }, ['.records: 0 rows, ours null']],
  ['another order', [1, 2], [2, 1], ['[0]: 1, ours 2', '[1]: 2, ours 1']],
  ['what is sent and not compared', { '-tasks': [1] }, {}, []],
])('answers are compared field by field: %s', (_, bare, ours, expected) => {
  expect(differences(bare, ours)).toEqual(expected)
})
