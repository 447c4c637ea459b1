import { execFileSync } from 'node:child_process'
import { expect, type Browser, type Page } from '@playwright/test'
import type { Input } from '../contract/core/call.ts'
import { lessonStatus } from '../contract/core/codes/programme.ts'
import { curriculumType } from '../contract/core/codes/rules.ts'
import { approvalApi } from '../contract/programme/approvals/approvals.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { curriculumApi } from '../contract/rules/curriculum/curriculum.calls.ts'
import { passwordApi } from '../contract/school/people/passwords.calls.ts'
import { piiApi } from '../contract/school/people/pii.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { sessionApi } from '../contract/school/session/session.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { done, newPage, open, shown, signedIn } from './support.ts'

/** What journeys of the students' side have in common: getting onto a phone, courses to take part in, a camera. */

/** A student as journeys know them. */
export interface Student {
  suId: string
  suiName: string
  suiNumber: string
}

/** Prints the slip of one student in the console and reads its code, as it stands on the paper. */
export async function printSlip(browser: Browser, suiNumber: string): Promise<string> {
  const staff = await signedIn(browser, 'admin')
  await open(staff, `/personnelAdmin/studentAdmin?activated=0&search=${suiNumber}`)
  await expect(shown(staff.getByRole('cell', { name: suiNumber }))).toBeVisible()
  await shown(staff.getByRole('checkbox', { name: /全选|Select all/i })).check()
  await shown(staff.locator('.batch-bar').getByRole('button', { name: '打印账号激活单', exact: true })).click()
  const dialog = staff.getByRole('dialog')
  await dialog.getByLabel('打印原因').fill('新生报到当面发放')
  const file = staff.waitForEvent('download')
  await dialog.getByRole('button', { name: '生成并下载' }).click()
  const text = execFileSync('pdftotext', ['-raw', await (await file).path(), '-'], { encoding: 'utf8' })
  expect(text).toContain(suiNumber)
  await done(staff)
  return /[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(text)![0]
}

/** Goes from the QR code of a slip to the list of activities: the code, the privacy notice, a password. */
export async function activate(phone: Page, suiNumber: string, code: string, password: string): Promise<void> {
  await phone.goto(`/m/activate#${new URLSearchParams({ s: 'demo', n: suiNumber, c: code }).toString()}`)
  // whose page stood there already has only got another fragment
  await phone.reload()
  await expect(phone.getByLabel('激活码')).toHaveValue(code)
  await phone.getByRole('button', { name: '下一步' }).tap()
  await expect(phone.getByRole('region', { name: '告知全文' })).toBeVisible()
  await phone.getByRole('button', { name: '已阅读并同意' }).tap()
  await phone.getByLabel('新密码', { exact: true }).fill(password)
  await phone.getByLabel('再输一次新密码').fill(password)
  await phone.getByRole('button', { name: '激活并登录' }).tap()
  await expect(phone.getByRole('heading', { level: 1, name: '活动' })).toBeVisible()
  expect(phone.url()).not.toContain(code)
}

/** What staff at the desk give a student who has no password: a login name and a password for one sign-in. */
export async function oneTimePassword(baseURL: string | undefined, { suId }: Pick<Student, 'suId'>) {
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { values } = await admin.send(piiApi.unmask, { suId, fields: ['birth'], reason: '学生忘记密码，核对身份' })
  return admin.send(passwordApi.reset, { suId, birth: values.birth! })
}

/** Gives a student of the demo school a password, as staff would at the desk and the student then by themselves. */
export async function givePassword(baseURL: string | undefined, student: Student, password: string): Promise<void> {
  const given = await oneTimePassword(baseURL, student)
  const client = await signIn(baseURL!, 'demo', given.suLoginName, given.password)
  await client.send(sessionApi.editPassword, { oldPassword: given.password, newPassword: password })
}

/** A phone on which a student is signed in. */
export async function phoneOf(
  browser: Browser,
  baseURL: string | undefined,
  { suiNumber }: Pick<Student, 'suiNumber'>,
  password: string,
  expectErrors?: RegExp,
): Promise<Page> {
  const { token } = await signIn(baseURL!, 'demo', suiNumber, password)
  return newPage(browser, { isPhone: true, token: token!, ...(expectErrors && { expectErrors }) })
}

/** A course of the demo school's teacher that has been approved and published. */
export async function publishedCourse(
  baseURL: string | undefined,
  form: Partial<Input<typeof lessonApi.save>> & { liName: string },
): Promise<string> {
  const service = (username: string) => signIn(baseURL!, 'demo', username, 'Demo-2026')
  const teacher = await service('teacher')
  const leader = (await teacher.send(teacherApi.search, { search: '王老师' }))[0]!
  const tree = await teacher.send(curriculumApi.all, { lsType: curriculumType.lessons })
  const { liId } = await teacher.send(lessonApi.save, {
    lsId: tree[0]!.children[0]!.lsId,
    liLevel: '6',
    liIntro: '手机端的活动。',
    liPrincipalId: leader.suId,
    placeText: '大礼堂',
    quota: 20,
    submit: '1',
    ...form,
  } as Input<typeof lessonApi.save>)
  for (let round = 0; round < 5; round++) {
    if ((await teacher.send(lessonApi.details, { liId })).liStatus !== lessonStatus.publishInReview) break
    for (const username of ['college', 'reviewer', 'admin']) {
      const checker = await service(username)
      const { records } = await checker.send(approvalApi.publishQueue, { bizName: form.liName })
      if (records.length > 0)
        await checker.send(approvalApi.publishPass, { taskIds: records.map(({ taskId }) => taskId) })
    }
  }
  await teacher.send(lessonApi.publish, { liId })
  return liId
}

/**
 * A camera that sees a picture, and a `BarcodeDetector` as phones have it: one that reads a text, or one without
 * Google's services behind it, which knows no format and rejects.
 */
export const withCamera = (page: Page, { picture, text }: { picture?: string; text?: string }) =>
  page.addInitScript(
    ([shown, read]) => {
      navigator.mediaDevices.getUserMedia = async () => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 480, height: 480 })
        const paper = canvas.getContext('2d')!
        const image = new Image()
        if (shown) image.src = shown
        setInterval(() => {
          paper.fillStyle = '#fff'
          paper.fillRect(0, 0, 480, 480)
          if (image.complete && image.naturalWidth > 0) paper.drawImage(image, 40, 40, 400, 400)
        }, 100)
        return canvas.captureStream(10)
      }
      class Detector {
        static getSupportedFormats = () => Promise.resolve(read ? ['qr_code'] : [])
        detect = () =>
          read
            ? Promise.resolve([{ rawValue: read }])
            : Promise.reject(new DOMException('no service', 'NotSupportedError'))
      }
      Object.assign(globalThis, { BarcodeDetector: Detector })
    },
    [picture, text] as const,
  )
