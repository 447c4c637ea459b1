import { Select } from 'antd'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { accessApi } from '../../../contract/school/roles/access.calls.ts'
import {
  reachOf,
  recordKindNames,
  type AccessAnswer,
  type RecordKind,
  type UserAccess,
} from '../../../contract/school/roles/access.schema.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { clearing } from '../../core/parts/clear-icon.tsx'
import { RemoteSelect } from '../../core/parts/remote-select.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { rolePaths } from '../../shared/people/role-paths.ts'
import { namesOf } from '../../../contract/core/few-names.ts'

interface Props {
  person: UserAccess['person']
  /** The right being tried. */
  permit: string | undefined
  onPermit: (permit: string | undefined) => void
}

/** A right and a record: yes or no, why, and who could help. */
export function AccessTest({ person, permit, onPermit }: Props) {
  const { data: tree = [] } = useCall(roleApi.menuTree, {}, { staleTime: 600_000 })
  const options = useMemo(
    () =>
      tree.map(({ title, pages }) => ({
        label: title,
        options: [
          ...new Map(
            pages.flatMap((page) =>
              page.elements.map(
                (element) =>
                  [element.permit, { value: element.permit, label: `${page.title} · ${element.name}` }] as const,
              ),
            ),
          ).values(),
        ],
      })),
    [tree],
  )
  const kinds = permit ? reachOf(permit).kinds : []
  const [wished, setKind] = useState<RecordKind>()
  const kind = wished && kinds.includes(wished) ? wished : kinds[0]
  const [chosen, setChosen] = useState<{ kind: RecordKind; id: string }>()
  const id = chosen && chosen.kind === kind ? chosen.id : undefined
  const box = useRef<HTMLElement>(null)
  // a right chosen in the list is tried here: on a phone the box stands below that list
  useEffect(() => {
    if (permit) box.current?.scrollIntoView({ block: 'nearest' })
  }, [permit])
  const names = { right: useId(), kind: useId(), record: useId() }
  return (
    <section ref={box} className="access-test" aria-label="试一项权限">
      <h2>试一项权限</h2>
      <p className="form-hint">选择一项权限和一条记录，看看 {person.suiName} 能不能用、为什么。</p>
      <label htmlFor={names.right}>权限</label>
      <Select
        id={names.right}
        className="wide"
        value={permit}
        options={options}
        placeholder="请选择"
        allowClear={clearing}
        showSearch={{ optionFilterProp: 'label' }}
        popupMatchSelectWidth={false}
        onChange={onPermit}
      />
      {kind && (
        <>
          <label htmlFor={names.kind}>记录类型</label>
          <Select
            id={names.kind}
            className="wide"
            value={kind}
            options={kinds.map((value) => ({ value, label: recordKindNames[value] }))}
            onChange={setKind}
          />
          <label htmlFor={names.record}>{recordKindNames[kind]}</label>
          <RemoteSelect
            key={kind}
            id={names.record}
            call={accessApi.records}
            input={(word) => ({ kind, ...(word && { search: word }) })}
            options={(found) => found.map(({ id: value, name, hint }) => ({ value, label: name, hint }))}
            placeholder="不选则只看有没有这项权限"
            value={id ?? null}
            onChange={(value) => setChosen(typeof value === 'string' ? { kind, id: value } : undefined)}
          />
        </>
      )}
      <div aria-live="polite">
        {permit && <Answer suId={person.suId} permit={permit} {...(kind && id && { kind, id })} />}
      </div>
    </section>
  )
}

const verdicts = { yes: ['finished', '可以'], part: ['waiting', '部分可以'], no: ['refused', '不可以'] } as const

function Answer(input: { suId: string; permit: string; kind?: RecordKind; id?: string }) {
  const { data, ...reading } = useCall(accessApi.test, input, { staleTime: 0 })
  if (!data) return <ReadSkeleton reading={reading} title={false} />
  const { verdict, reasons, acts } = data
  const [tone, text] = verdicts[verdict]
  return (
    <div className="access-answer">
      <StatusChip tone={tone}>{text}</StatusChip>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {acts.length > 0 && <p>现在可以对该课程：{acts.join('、')}</p>}
      <Givers answer={data} />
    </div>
  )
}

/** Who could give what is missing. */
function Givers({ answer: { missing, givers } }: { answer: AccessAnswer }) {
  if (missing !== 'right' && missing !== 'area') return null
  const people = givers.people.map(({ suiName, srNames }) => `${suiName}（${srNames.join('、')}）`)
  const who =
    givers.total === 0
      ? '目前没有人能授予。'
      : `${namesOf(people, givers.total)}可以${missing === 'right' ? '授予' : '调整他的管理范围'}。`
  return (
    <div className="access-givers">
      <p>{who}</p>
      {givers.roles.length > 0 && (
        <p>
          含有这项权限的角色：
          {givers.roles.map(({ srId, srName }, at) => (
            <span key={srId}>
              {at > 0 && '、'}
              <Link to={rolePaths.edit(srId)}>{srName}</Link>
            </span>
          ))}
        </p>
      )}
    </div>
  )
}
