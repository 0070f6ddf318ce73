{{- /* The template of a pod: a dict of the root context (top), the part, its options (with defaults) and its probes. */ -}}
{{- define "pod" -}}
{{- $caged := and .top.Values.root (has .part (list "worker" "live")) -}}
metadata:
  labels: {{ include "labels" . | nindent 4 }}
spec:
  automountServiceAccountToken: false
  # Its variables would be taken for settings: a service called arena gives ARENA_PORT.
  enableServiceLinks: false
  # The first process of a container reaps no orphans; the pod's does.
  shareProcessNamespace: true
  terminationGracePeriodSeconds: 30
  {{- if eq .part "migrate" }}
  restartPolicy: OnFailure
  {{- end }}
  securityContext:
    runAsUser: {{ $caged | ternary 0 10001 }}
    runAsGroup: {{ $caged | ternary 0 10001 }}
    runAsNonRoot: {{ not $caged }}
    seccompProfile: {type: RuntimeDefault}
  containers:
    - name: {{ .part }}
      image: {{ printf "%s:%s" .top.Values.image .top.Chart.AppVersion | quote }}
      args: [arena, {{ .part }}]
      envFrom:
        - secretRef: {name: {{ .top.Values.secret }}}
      env:
        {{- $usual := dict "ARENA_SANDBOX_MINIMUM" ($caged | ternary "both" "one") }}
        {{- with .top.Values.ingress.host }}{{ $usual = merge $usual (dict "ARENA_HOSTS" . "ARENA_PROXIES" "1") }}{{ end }}
        {{- with .options.processes }}{{ $_ := set $usual "ARENA_WORKERS" (toString .) }}{{ end }}
        {{- range $name, $value := merge (dict) .top.Values.settings $usual }}
        {{- if not (kindIs "string" $value) }}{{ fail (printf "the setting %s needs quotes" $name) }}{{ end }}
        - {name: {{ $name }}, value: {{ quote $value }}}
        {{- end }}
      {{- with .probes }}{{ toYaml . | nindent 6 }}{{ end }}
      resources: {{ toYaml .options.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
          {{- if $caged }}
          add: [KILL, SETGID, SETPCAP, SETUID, SYS_CHROOT]
          {{- end }}
      volumeMounts:
        - {name: data, mountPath: /data}
        - {name: tmp, mountPath: /tmp}
  volumes:
    - {name: data, emptyDir: {}}
    - {name: tmp, emptyDir: {}}
{{- end }}

{{- define "labels" -}}
app.kubernetes.io/name: {{ .top.Chart.Name }}
app.kubernetes.io/instance: {{ .top.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}
