import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, run } from './process.ts';

/** A tool that does part of the same work, in a folder next to the content. */
export type Peer = {
  readonly name: string;
  /** Writes the tool's configuration. Returns false if the tool is not installed. */
  readonly prepare: (folder: string, content: string) => Promise<boolean>;
  readonly command: (folder: string) => Command;
  /** Output in the tool's folder, removed before each run so that every run is cold. */
  readonly makes: readonly string[];
};

const CONFIGURATION = `baseURL = "https://catalogue.example/"
disableKinds = ["home", "section", "taxonomy", "term", "RSS", "sitemap", "robotsTXT", "404"]
`;

const SEQUENCE = `{{- $entries := slice -}}
{{- range site.Data.properties -}}
  {{- range . -}}
    {{- $summary := dict "id" .id "title" .title "city" .city "country" .country "thumbnail" nil -}}
    {{- $key := printf "%s\\t%s\\t%s\\t%s" .country .city .title .id -}}
    {{- $entries = $entries | append (dict "key" $key "country" .country "city" .city "property" . "text" (jsonify $summary)) -}}
  {{- end -}}
{{- end -}}
{{- $scratch := newScratch -}}
{{- range sort $entries "key" -}}
  {{- $scratch.Add "all" (slice .) -}}
  {{- $scratch.Add (print "city " .city) (slice .) -}}
{{- end -}}
{{- return $scratch.Values -}}
`;

/** A thousand pages at a time: Hugo's `seq` is limited to two thousand. */
const SCOPE = `{{- $texts := slice -}}
{{- range .entries -}}{{- $texts = $texts | append .text -}}{{- end -}}
{{- $total := len $texts -}}
{{- $folder := .folder -}}
{{- range $size := seq 100 -}}
  {{- $pages := int (math.Ceil (div (float $total) $size)) -}}
  {{- range $thousand := seq 0 (div (sub $pages 1) 1000) -}}
  {{- range $page := seq (add (mul $thousand 1000) 1) (math.Min $pages (mul (add $thousand 1) 1000)) -}}
    {{- $data := delimit (first $size (after (mul (sub $page 1) $size) $texts)) "," -}}
    {{- $text := printf "{\\"data\\":[%s],\\"meta\\":{\\"pagination\\":{\\"current_page\\":%d,\\"per_page\\":%d,\\"total_entries\\":%d}}}" $data $page $size $total -}}
    {{- (resources.FromString (printf "pages/%s/%d-%d.json" $folder $size $page) $text).Publish -}}
  {{- end -}}
  {{- end -}}
{{- end -}}
`;

/** Scopes and details of one country. The content file without a country makes the unfiltered scopes. */
const PAGE = `{{- $sequence := partialCached "sequence.html" site -}}
{{- $country := .Params.country -}}
{{- if not $country -}}
  {{- partial "scope.html" (dict "folder" "-/-" "entries" $sequence.all) -}}
{{- else -}}
  {{- $entries := where $sequence.all "country" $country -}}
  {{- partial "scope.html" (dict "folder" (print $country "/-") "entries" $entries) -}}
  {{- range $entries -}}
    {{- $detail := dict -}}
    {{- range $name, $value := .property -}}
      {{- if ne $name "id" -}}{{- $detail = merge $detail (dict $name $value) -}}{{- end -}}
    {{- end -}}
    {{- (resources.FromString (printf "properties/%s.json" .property.id) (jsonify $detail)).Publish -}}
  {{- end -}}
  {{- $last := "" -}}
  {{- range $entries -}}
    {{- if ne .city $last -}}
      {{- $last = .city -}}
      {{- $hex := printf "%x" .city -}}
      {{- $everywhere := index $sequence (print "city " .city) -}}
      {{- partial "scope.html" (dict "folder" (print $country "/" $hex) "entries" (where $everywhere "country" $country)) -}}
      {{- if eq (index $everywhere 0).country $country -}}
        {{- partial "scope.html" (dict "folder" (print "-/" $hex) "entries" $everywhere) -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
`;

/** One content file for each country, so that Hugo uses all cores. */
export const hugo: Peer = {
  name: 'Hugo',
  async prepare(folder, content) {
    if (!existsSync('/usr/bin/hugo')) return false;
    for (const name of ['content', 'data', 'layouts/_default', 'layouts/partials'])
      mkdirSync(join(folder, name), { recursive: true });
    cpSync(join(content, 'properties'), join(folder, 'data/properties'), { recursive: true });
    writeFileSync(join(folder, 'config.toml'), CONFIGURATION);
    writeFileSync(join(folder, 'layouts/partials/sequence.html'), SEQUENCE);
    writeFileSync(join(folder, 'layouts/partials/scope.html'), SCOPE);
    writeFileSync(join(folder, 'layouts/_default/single.html'), PAGE);
    writeFileSync(join(folder, 'content/everything.md'), '---\ntitle: everything\n---\n');
    for (const name of readdirSync(join(content, 'properties'))) {
      const country = name.toUpperCase();
      const page = `---\ntitle: ${country}\ncountry: "${country}"\n---\n`;
      writeFileSync(join(folder, `content/${name}.md`), page);
    }
    return true;
  },
  command: (folder) => ({ file: 'hugo', args: ['--quiet', '--noBuildLock'], cwd: folder }),
  makes: ['public', 'resources'],
};

const SCHEMA = `z.object({
  id: z.string().uuid(),
  title: z.string().min(1),
  currency: z.string().regex(/^[A-Z]{3}$/),
  email: z.string().email().optional(),
  phone: z.union([z.string(), z.number()]).optional(),
  zip_code: z.union([z.string(), z.number()]).optional(),
  city: z.string().min(1),
  state: z.string().optional(),
  address: z.string().optional(),
  country: z.string().regex(/^[A-Z]{2}$/),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  facilities: z.array(z.string().min(1)),
  photo: z.array(z.object({ url: z.string().url(), description: z.string().optional() })),
  hotel_policy: z.array(z.object({ policy_type: z.string(), detail: z.string() })),
  payment_method: z.array(z.object({ is_enabled: z.boolean(), method_type: z.enum(['direct', 'property']) })),
}).strict()`;

const VELITE = `import { defineConfig, s as z } from 'velite';

export default defineConfig({
  root: '../content',
  output: { data: 'blob', assets: 'assets' },
  collections: {
    properties: { name: 'Property', pattern: 'properties/**/*.yaml', schema: ${SCHEMA} },
  },
});
`;

/** Velite reads and validates all files and writes a single one. Installed with npm. */
export const velite: Peer = {
  name: 'Velite',
  async prepare(folder) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    writeFileSync(join(folder, 'velite.config.mjs'), VELITE);
    const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', 'velite@0.4'];
    return run({ file: 'npm', args, cwd: folder }).then(
      () => true,
      () => false,
    );
  },
  command: (folder) => ({
    file: join(folder, 'node_modules/.bin/velite'),
    args: ['build', '--silent', '--strict'],
    cwd: folder,
  }),
  makes: ['blob', 'assets'],
};
