import { expect, test } from 'vitest'
import { total } from './case-parts.tsx'

test.each([
  [[], '0'],
  [['0.1', '0.2'], '0.3'],
  [['1.5', '2', '0.05'], '3.55'],
  [['36', '3', '0'], '39'],
])('amounts %o come to %s', (amounts, sum) => expect(total(amounts)).toBe(sum))
