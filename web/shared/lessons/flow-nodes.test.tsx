// @vitest-environment jsdom
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { flowNode, flowStepType } from '../../../contract/core/codes/rules.ts'
import { setOpenScreens } from '../../core/service/open-screens.ts'
import { draw } from '../../testing/draw.ts'
import { FlowNodes } from './flow-nodes.tsx'

const members = '/personnelAdmin/memberAdmin'
const help = { label: '去为“社团管理部”添加成员', link: `${members}?srId=1` }
const step = { stepType: flowStepType.anyOne, people: [], note: '', vacancy: null }
const preview = {
  wfName: '标准流程',
  missing: null,
  nodes: [
    {
      nodeName: flowNode.publish,
      steps: [
        { ...step, stepName: '初审', vacancy: { text: '“社团管理部”目前空缺。请先为“社团管理部”添加成员', help } },
        { ...step, stepName: '备案', note: '系统自动通过' },
      ],
    },
  ],
}
const drawn = (shown: Parameters<typeof FlowNodes>[0]['preview']) =>
  draw(
    <MemoryRouter>
      <FlowNodes preview={shown} />
    </MemoryRouter>,
  )

test('a step that nobody decides says what to do, and leads there whoever may open that screen', () => {
  setOpenScreens([members])
  const place = drawn(preview)
  expect(place.textContent).toContain('初审：“社团管理部”目前空缺。请先为“社团管理部”添加成员。')
  expect(place.querySelector('a')?.getAttribute('href')).toBe(help.link)
  expect(place.textContent).toContain('系统自动通过')
  expect(place.textContent?.match(/没有可用的审批人/g)).toHaveLength(2)
  setOpenScreens([])
  expect(drawn(preview).querySelector('a')).toBeNull()
})

test('without a flow it says whom to ask or where to go', () => {
  setOpenScreens(['/basicConfig/ProcessManagement'])
  const missing = {
    text: '请先在“流程管理”中配置适用的流程',
    help: { label: '去流程管理', link: '/basicConfig/ProcessManagement' },
  }
  const place = drawn({ wfName: null, missing, nodes: [] })
  expect(place.textContent).toContain('现在可存为草稿；请先在“流程管理”中配置适用的流程后再提交。')
  expect(place.querySelector('a')?.textContent).toBe('去流程管理')
})
