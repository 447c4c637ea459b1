import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

test.each(['/api/schoolbase/SchoolInfoT/getRules', '/api/no-such-call', '/api/docs'])(
  'the answer to %s tells browsers what a page may do',
  async (path) => {
    const { address } = await testApp()
    const { headers } = await fetch(address + path)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'self';.*frame-ancestors 'none'$/)
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'referrer-policy': 'no-referrer',
    })
  },
)
