// @vitest-environment jsdom
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { schoolApi } from '../../contract/school/school/school.calls.ts'
import { sessionApi } from '../../contract/school/session/session.calls.ts'
import { draw } from '../testing/draw.ts'
import { RetrievePasswordPage } from './retrieve-password.page.tsx'

// asked for as soon as what is drawn is read
vi.hoisted(() => {
  const listen = () => undefined
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: listen, removeEventListener: listen }))
})

test('找回密码 takes school and account over from 登录, a school by its name too', async () => {
  const asked: unknown[] = []
  vi.stubGlobal('fetch', (url: string, { body }: { body?: string }) => {
    if (url.includes(sessionApi.retrievePwd.path)) asked.push(JSON.parse(body!))
    const data = url.includes(schoolApi.search.path)
      ? { schools: [{ schoolId: 'demo', schName: '示范大学' }], isByHost: false, isMore: false }
      : { message: '验证码已发送', passwordProfile: 'dengbao' }
    return Promise.resolve(new Response(JSON.stringify({ code: 200, msg: '', data })))
  })
  const place = draw(
    <MemoryRouter
      initialEntries={[{ pathname: '/retrievePassword', state: { schoolId: '示范大学', username: 'wang' } }]}
    >
      <RetrievePasswordPage />
    </MemoryRouter>,
  )
  const typed = (name: string) => place.querySelector<HTMLInputElement>(`input[name=${name}]`)?.value
  expect([typed('schoolId'), typed('username')]).toEqual(['示范大学', 'wang'])
  // told under the field once it is found
  await vi.waitFor(() => expect(place.textContent).toContain('示范大学'))
  place.querySelector<HTMLButtonElement>('.submit')!.click()
  await vi.waitFor(() => expect(place.textContent).toContain('第 2 步'))
  expect(asked).toMatchObject([{ schoolId: 'demo', username: 'wang' }])
})
