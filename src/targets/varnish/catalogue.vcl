vcl 4.1;

import blob;
import std;

# Include this file after two backends: catalogue_origin, which serves dist/public as plain files, and
# catalogue_shell, which is Varnish itself at a listener named shell (-a shell=127.0.0.1:{{shellPort}}).

sub vcl_recv {
    set req.backend_hint = catalogue_origin;
    # Only what was fetched may hold an ESI element: Varnish asks itself for a page without entries.
    if (local.socket == "shell") { return (synth(200)); }
    # The total within a page without entries, or another step towards such a page.
    if (req.esi_level > 0 || (req.restarts > 0 && req.http.X-Catalogue-Step)) { return (hash); }
    # VCL has no variables; these headers stand for them.
    {{#variables}}
    unset req.http.X-Catalogue-{{.}};
    {{/variables}}
    # What is kept is the same for every host.
    unset req.http.Host;
    unset req.http.Accept-Encoding;
    unset req.http.Cookie;
    unset req.http.Authorization;
    if (req.method == "OPTIONS") { return (synth(204)); }
    if (req.method != "GET" && req.method != "HEAD") { {{refuse.method-not-allowed}} }
    set req.http.X-Catalogue-Path = regsub(req.url, "\?.*$", "");
    if (req.http.Range !~ "{{rangePattern}}") { unset req.http.Range; }
    if (req.http.X-Catalogue-Path == "{{list}}") {
        unset req.http.Range;
        call catalogue_list;
    } elsif (req.http.X-Catalogue-Path ~ "^{{listPattern}}/{{idPattern}}$") {
        unset req.http.Range;
        set req.http.X-Catalogue-Kind = "property";
        set req.url = "/{{properties}}/" + std.tolower(regsub(req.http.X-Catalogue-Path, "^.*/", "")) + ".json";
    } elsif (req.http.X-Catalogue-Path ~ "^{{listPattern}}/[^/]+$") {
        {{refuse.property-not-found}}
    } elsif (req.http.X-Catalogue-Path ~ "^{{apiPattern}}(?:/|$)" || req.http.X-Catalogue-Path !~ "^{{basePattern}}/") {
        {{refuse.not-found}}
    } else {
        call catalogue_file;
    }
    return (hash);
}

# The page of a list: the first fault of its query, or its values.
sub catalogue_list {
    # Only what counts is kept: Varnish gives up on a long query that an expression has to search again and again.
    set req.http.X-Catalogue-Query = regsuball(regsub(req.url, "^[^?]*\??", "&"), "{{foreignPair}}", "");
    {{#nameFaults}}
    if (req.http.X-Catalogue-Query ~ "{{pattern}}") { {{answer}} }
    {{/nameFaults}}
    set req.http.X-Catalogue-Query = regsuball(req.http.X-Catalogue-Query, "{{emptyPair}}", "");
    {{#valueFaults}}
    if (req.http.X-Catalogue-Query ~ "{{pattern}}") { {{answer}} }
    {{/valueFaults}}
    {{#parameters}}
    set req.http.X-Catalogue-{{header}} = "{{absent}}";
    if (req.http.X-Catalogue-Query ~ "{{pattern}}") {
        set req.http.X-Catalogue-{{header}} = blob.transcode(encoded=regsuball(regsub(req.http.X-Catalogue-Query, "^.*?{{pattern}}.*$", "\1"), "\+", "%20"), decoding=URL, encoding=IDENTITY);
    }
    {{/parameters}}
    set req.http.X-Catalogue-City = "{{any}}";
    if (req.http.X-Catalogue-Query ~ "{{longCityPattern}}") {
        set req.http.X-Catalogue-City = "{{noCity}}";
    } elsif (req.http.X-Catalogue-Query ~ "{{cityPattern}}") {
        set req.http.X-Catalogue-City = blob.transcode(encoded=regsuball(regsub(req.http.X-Catalogue-Query, "^.*?{{cityPattern}}.*$", "\1"), "\+", "%20"), decoding=URL, encoding=HEX, case=LOWER);
    }
    set req.http.X-Catalogue-Kind = "list";
    set req.http.X-Catalogue-Scope = "/{{pages}}/" + req.http.X-Catalogue-Country + "/" + req.http.X-Catalogue-City;
    set req.http.X-Catalogue-Page = req.http.X-Catalogue-Scope + "/" + req.http.X-Catalogue-Size + "-" + req.http.X-Catalogue-Number + ".json";
    set req.url = req.http.X-Catalogue-Page;
    unset req.http.X-Catalogue-Query;
}

# A file beside the API: its path is decoded, and names no file unless it is plain then.
sub catalogue_file {
    if (req.http.X-Catalogue-Path ~ "%(?:7[Ff]|(?![2-7][0-9A-Fa-f]))") { {{refuse.not-found}} }
    set req.http.X-Catalogue-Path = blob.transcode(encoded=regsub(req.http.X-Catalogue-Path, "^{{basePattern}}", ""), decoding=URL, encoding=IDENTITY);
    if (req.http.X-Catalogue-Path !~ "{{plainPath}}" || req.http.X-Catalogue-Path ~ "{{internalPath}}") { {{refuse.not-found}} }
    set req.http.X-Catalogue-Kind = "file";
    set req.url = regsub(req.http.X-Catalogue-Path, "/$", "/index.html");
}

sub vcl_hash {
    if (req.esi_level == 0 && req.http.X-Catalogue-Step) { hash_data(req.http.X-Catalogue-Step + req.http.X-Catalogue-Scope); }
}

sub vcl_backend_fetch {
    # The origin receives the path and nothing else of a client's request; the host name is the backend's.
    # VCL can unset a header only by its name.
    unset bereq.http.Accept;
    unset bereq.http.Accept-Charset;
    unset bereq.http.Accept-Encoding;
    unset bereq.http.Accept-Language;
    unset bereq.http.Authorization;
    unset bereq.http.Cache-Control;
    unset bereq.http.Connection;
    unset bereq.http.Cookie;
    unset bereq.http.Expect;
    unset bereq.http.Forwarded;
    unset bereq.http.From;
    unset bereq.http.Host;
    unset bereq.http.If-Match;
    unset bereq.http.If-Unmodified-Since;
    unset bereq.http.Origin;
    unset bereq.http.Pragma;
    unset bereq.http.Proxy-Authorization;
    unset bereq.http.Referer;
    unset bereq.http.TE;
    unset bereq.http.Upgrade;
    unset bereq.http.User-Agent;
    unset bereq.http.Via;
    unset bereq.http.X-API-KEY;
    unset bereq.http.X-Forwarded-For;
    unset bereq.http.X-Forwarded-Host;
    unset bereq.http.X-Forwarded-Proto;
    unset bereq.http.X-HTTP-Method-Override;
    unset bereq.http.X-Original-URL;
    unset bereq.http.X-Real-IP;
    unset bereq.http.X-Requested-With;
    unset bereq.http.X-Rewrite-URL;
    set bereq.connect_timeout = {{origin.timeLimit}}ms;
    set bereq.first_byte_timeout = {{origin.timeLimit}}ms;
    set bereq.between_bytes_timeout = {{origin.timeLimit}}ms;
    if (bereq.http.X-Catalogue-Step == "shell") {
        set bereq.backend = catalogue_shell;
    } else {
        {{#variables}}
        unset bereq.http.X-Catalogue-{{.}};
        {{/variables}}
    }
}

# What the answer of the origin means, and how long Varnish keeps it.
sub vcl_backend_response {
    unset beresp.http.Cache-Control;
    unset beresp.http.Expires;
    unset beresp.http.Set-Cookie;
    unset beresp.http.Vary;
    # Only a bucket may say by another status than 404 that there is no file.
    {{#origin.absent}}
    if (beresp.status == {{.}}) { set beresp.status = 404; }
    {{/origin.absent}}
    # Servers answer for a folder with a redirect to the same path with a slash.
    if (beresp.status >= 300 && beresp.status < 400 && regsub(beresp.http.Location, "^[a-z]+://[^/]*", "") == bereq.url + "/") { set beresp.status = 404; }
    # It may be broken rather than empty, so the next request is to ask again.
    if (beresp.status == 404 && bereq.url ~ "^/{{data}}/" || bereq.url ~ "/total$") {
        set beresp.uncacheable = true;
        set beresp.ttl = 10s;
    } elsif (beresp.status == 404) {
        set beresp.ttl = {{lifetime.problem.seconds}}s;
        set beresp.grace = {{lifetime.problem.grace}}s;
        set beresp.keep = 0s;
    } elsif (beresp.status != 200) {
        unset beresp.http.Location;
        # Varnish asks for whole files: a part says nothing of one.
        if (beresp.status == 206) { set beresp.status = 502; }
        # Nothing is known of the file: the answer is not kept, and an older file is better.
        if (bereq.is_bgfetch) { return (abandon); }
        set beresp.ttl = 0s;
        set beresp.grace = 0s;
        set beresp.uncacheable = true;
        return (deliver);
    } elsif (bereq.url ~ "^/{{assetsPattern}}/") {
        set beresp.ttl = {{lifetime.media.seconds}}s;
        set beresp.grace = {{lifetime.media.grace}}s;
        set beresp.keep = 0s;
    } else {
        set beresp.ttl = {{lifetime.api.seconds}}s;
        set beresp.grace = {{lifetime.api.grace}}s;
        set beresp.keep = 0s;
    }
    if (bereq.http.X-Catalogue-Step == "shell") { set beresp.do_esi = true; }
    # A total that was cut on its way would be another number.
    if (bereq.url ~ "/total$") {
        set beresp.do_stream = false;
        set beresp.http.Content-Type = "text/plain; charset=utf-8";
    }
    {{#types}}
    if (bereq.url ~ "\.{{extension}}$") { set beresp.http.Content-Type = """{{type}}"""; }
    {{/types}}
    if (bereq.url ~ "^/{{problemsFolder}}/") { set beresp.http.Content-Type = """{{problemType}}"""; }
    return (deliver);
}

sub vcl_backend_error {
    set beresp.ttl = 0s;
    set beresp.grace = 0s;
    return (deliver);
}

# An answer is delivered, or is a step towards a page without entries, or is a problem.
sub vcl_deliver {
    if (req.esi_level > 0) { return (deliver); }
    if (resp.status != 200 && resp.status != 404) { {{refuse.list-unavailable}} }
    # A page that is not there is empty when its scope has a total, or when only that of everything is there.
    if (req.http.X-Catalogue-Kind == "list" && req.http.X-Catalogue-Step != "shell") {
        if (req.http.X-Catalogue-Step == "total" && resp.status == 200) {
            if (req.http.X-Catalogue-Number == "1") { {{refuse.list-unavailable}} }
            set req.http.X-Catalogue-Step = "shell";
            set req.url = req.http.X-Catalogue-Page;
            return (restart);
        }
        if (req.http.X-Catalogue-Step == "total") {
            if (req.url == "{{everything}}/total") { {{refuse.list-unavailable}} }
            unset req.http.X-Catalogue-Scope;
            set req.http.X-Catalogue-Step = "everything";
            set req.url = "{{everything}}/total";
            return (restart);
        }
        if (req.http.X-Catalogue-Step == "everything") {
            if (resp.status != 200) { {{refuse.list-unavailable}} }
            set req.http.X-Catalogue-Step = "shell";
            set req.url = req.http.X-Catalogue-Page;
            return (restart);
        }
        if (resp.status == 404) {
            set req.http.X-Catalogue-Step = "total";
            set req.url = req.http.X-Catalogue-Scope + "/total";
            return (restart);
        }
    }
    # A property is absent only where the total of everything is there.
    if (req.http.X-Catalogue-Kind == "property" && req.http.X-Catalogue-Step == "everything") {
        if (resp.status != 200) { {{refuse.list-unavailable}} }
        {{refuse.property-not-found}}
    }
    if (req.http.X-Catalogue-Kind == "property" && resp.status == 404) {
        set req.http.X-Catalogue-Step = "everything";
        set req.url = "{{everything}}/total";
        return (restart);
    }
    if (resp.status == 404) {
        if (req.http.X-Catalogue-Kind == "file") { {{refuse.not-found}} }
        {{refuse.list-unavailable}}
    }
    # Varnish cuts the part of a file after this, and would keep the headers of the file if there is none.
    if (!resp.http.Content-Length) { unset req.http.Range; }
    if (req.http.Range ~ "^bytes=[0-9]+-[0-9]+$" && std.integer(regsub(req.http.Range, "^.*-", ""), 0) < std.integer(regsub(req.http.Range, "^bytes=([0-9]+)-.*$", "\1"), 0)) { unset req.http.Range; }
    if (resp.status == 200 && req.http.Range ~ "^bytes=[0-9]{1,15}-[0-9]*$") {
        if (std.integer(regsub(req.http.Range, "^bytes=([0-9]+)-.*$", "\1"), 0) >= std.integer(resp.http.Content-Length, 0)) {
            set req.http.X-Catalogue-Length = resp.http.Content-Length;
            return (synth(416));
        }
    }
    # Varnish itself knows a single tag, but neither a list of them nor the asterisk.
    if (resp.status == 200 && resp.http.ETag && req.http.If-None-Match ~ "^.{1,1000}$") {
        set req.http.X-Catalogue-Tags = req.http.If-None-Match + "|" + resp.http.ETag;
        if (req.http.X-Catalogue-Tags ~ {"^\*\||(?:^|[ ,])(?:W/)?("[^"]*").*\|(?:W/)?\1$"}) { set resp.status = 304; }
    }
    {{#commonHeaders}}
    set resp.http.{{name}} = """{{value}}""";
    {{/commonHeaders}}
    set resp.http.Cache-Control = """{{caching.api}}""";
    if (req.url ~ "^/{{assetsPattern}}/") { set resp.http.Cache-Control = """{{caching.media}}"""; }
    if (req.http.X-Catalogue-Kind != "file" && resp.status == 200) { set resp.http.Content-Type = """{{jsonType}}"""; }
    if (req.http.X-Catalogue-Kind != "file") { unset resp.http.Accept-Ranges; }
    return (deliver);
}

# What Varnish answers by itself: preflights, problems, and to itself a page without entries.
sub vcl_synth {
    if (local.socket == "shell") {
        set resp.body = "<!--esi" + """{{pageWithTotal}}""" + "-->";
        if (!req.http.X-Catalogue-Scope) { set resp.body = """{{emptyPage}}"""; }
        return (deliver);
    }
    {{#commonHeaders}}
    set resp.http.{{name}} = """{{value}}""";
    {{/commonHeaders}}
    unset resp.http.Server;
    unset resp.http.Retry-After;
    if (resp.status == 204) {
        {{#preflightHeaders}}
        set resp.http.{{name}} = """{{value}}""";
        {{/preflightHeaders}}
        return (deliver);
    }
    set resp.http.Content-Type = """{{problemType}}""";
    set resp.http.Cache-Control = """{{caching.problem}}""";
    if (resp.status >= 500 || resp.status == 416) { set resp.http.Cache-Control = """{{caching.none}}"""; }
    if (resp.status == 405) { set resp.http.Allow = """{{allowedMethods}}"""; }
    if (resp.status == 416) {
        set resp.http.Content-Range = "bytes */" + req.http.X-Catalogue-Length;
        set resp.body = """{{outOfRange}}""";
        return (deliver);
    }
    # What failed on its way, without a problem of its own.
    if (!req.http.X-Catalogue-Problem) {
        set resp.status = 502;
        set resp.http.Cache-Control = """{{caching.none}}""";
        set req.http.X-Catalogue-Problem = "list-unavailable";
    }
    {{#problems}}
    if (req.http.X-Catalogue-Problem == "{{name}}") { set resp.body = """{{body}}"""; }
    {{/problems}}
    return (deliver);
}
