vcl 4.1;

backend catalogue_origin {
    .host = "127.0.0.1";
    .port = "{{originPort}}";
}

# Varnish itself, at the listener named shell.
backend catalogue_shell {
    .host = "127.0.0.1";
    .port = "{{shellPort}}";
}

include "/etc/varnish/catalogue.vcl";
